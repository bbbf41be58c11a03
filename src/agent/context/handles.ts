/**
 * Earlier turns that read texts of others, as a request shows them: the owner's own words, and handles that our code
 * alone has written. Nothing in a handle was chosen by a stranger. The same entries give the same bytes, whatever comes
 * after them.
 */
import { clean, noUsage, textOf, type Message, type MessageEntry, type TextBlock } from "@pincer/sdk";
import { labelOfBlock } from "../../gate/labels/entry-label.ts";
import { timeOfDay } from "./notes.ts";
import { isWaiting } from "./waiting-calls.ts";

/** How handles are written. */
export interface HandleStyle {
  /** The names of tools that may be shown: a model can make up any other. */
  tools: ReadonlySet<string>;
  /** IANA name; undefined: without times. */
  timezone?: string | undefined;
  /** False where the numbers would be those of another session. */
  numbered: boolean;
}

/** The entries with those that are collapsed in the form of handles. What stands together is one text. Pure. */
export function withHandles(
  entries: readonly MessageEntry[],
  collapsed: ReadonlySet<MessageEntry>,
  style: HandleStyle,
): readonly MessageEntry[] {
  if (!entries.some((entry) => collapsed.has(entry))) return entries;
  const shown: MessageEntry[] = [];
  let stretch: MessageEntry[] = [];
  const close = () => {
    shown.push(...textOfStretch(stretch, style));
    stretch = [];
  };
  for (const entry of entries) {
    const isOfStretch = collapsed.has(entry) && entry.message.role !== "user";
    if (!isOfStretch || (stretch[0] && stretch[0].runId !== entry.runId)) close();
    if (isOfStretch) stretch.push(entry);
    else shown.push(collapsed.has(entry) ? withOwnWords(entry, style) : entry);
  }
  close();
  return shown;
}

/** What a summary stands for that later turns are not shown. Pure. */
export const summaryHandle = (
  { seq, time, characters }: { seq: number; time: string; characters: number },
  style: HandleStyle,
): string => written([{ seq, kind: "summary", characters }], time, style);

interface Handle {
  seq: number;
  kind: string;
  /** Left out of what has none. */
  characters?: number;
}

/** Of one turn: more are told by their number. */
const mostHandles = 12;

function textOfStretch(stretch: readonly MessageEntry[], style: HandleStyle): MessageEntry[] {
  const [first, last] = [stretch.at(0), stretch.at(-1)];
  const handles = handlesOf(stretch, style).reverse();
  if (!first || !last || handles.length === 0) return [];
  const message: Message = {
    role: "assistant",
    content: [{ type: "text", text: written(handles, last.time, style), origin: "system" }],
    provider: "pincer",
    model: "handles",
    label: clean,
    usage: noUsage(),
    stopReason: "stop",
  };
  // A view that begins with this number begins with all of it.
  return [{ ...first, time: last.time, message }];
}

/** Calls have none of their own where their results do. */
function handlesOf(stretch: readonly MessageEntry[], style: HandleStyle): Handle[] {
  const settled = new Set(
    stretch.flatMap(({ message }) => (message.role === "toolResult" ? [message.toolCallId] : [])),
  );
  return stretch.flatMap((entry): Handle[] => {
    const { message, seq } = entry;
    const characters = textOf(message).length;
    if (message.role === "user") return [];
    if (message.role === "toolResult") {
      const name = nameOf(message.toolName, style);
      if (isWaiting(message))
        return [{ seq, kind: `call of ${name} that waits for the owner's answer: do not repeat it` }];
      return [{ seq, kind: `result of ${name}`, characters }];
    }
    const calls = message.content.flatMap((block) => (block.type === "toolCall" ? [block] : []));
    const open = calls.filter(({ id }) => !settled.has(id));
    const words = textOf(message).trim() === "" ? [] : [{ seq, kind: "answer", characters }];
    const thoughts = message.content.flatMap((block) => (block.type === "thinking" ? [block.thinking] : []));
    if (words.length + calls.length === 0 && thoughts.length > 0)
      return [{ seq, kind: "thinking", characters: thoughts.join("\n").length }];
    return [...words, ...open.map(({ name }) => ({ seq, kind: `call of ${nameOf(name, style)}` }))];
  });
}

const nameOf = (tool: string, { tools }: HandleStyle): string => (tools.has(tool) ? tool : "a tool");

/** What a person said in a turn that is collapsed: their own words as they are, and the rest as handles where it stood. */
function withOwnWords(entry: MessageEntry, style: HandleStyle): MessageEntry {
  const { message, seq, time } = entry;
  if (message.role !== "user") return entry;
  const isForeign = (block: (typeof message.content)[number]) => labelOfBlock(block, "owner").untrusted;
  const foreign = message.content.filter(isForeign);
  const [first] = foreign;
  if (!first) return entry;
  const handles = foreign.map((block): Handle => {
    if (block.type === "image") return { seq, kind: "picture" };
    return { seq, kind: kindOf(block), characters: block.text.length };
  });
  const handle: TextBlock = { type: "text", text: written(handles, time, style), origin: "system" };
  const content = message.content.flatMap((block) =>
    block === first ? [handle] : isForeign(block) ? [] : [block],
  );
  return { ...entry, message: { role: "user", content } };
}

function kindOf({ origin, from, typed }: TextBlock): string {
  if (typed === false) return "pasted text";
  if (origin === "quoted")
    return from?.startsWith("with a message of ") ? "quoted text" : "forwarded message";
  return origin === "peer" || origin === "group" || origin === "session" ? "message" : "text";
}

/** The newest first. */
function written(handles: readonly Handle[], time: string, { timezone, numbered }: HandleStyle): string {
  const at = timezone === undefined ? undefined : timeOfDay(time, timezone);
  const shown = handles.slice(0, mostHandles);
  const rest = handles.slice(mostHandles);
  const items = shown.map(({ seq, kind, characters }, index) =>
    [
      numbered ? `#${seq} ${kind}` : kind,
      ...(characters === undefined ? [] : [`${characters} characters`]),
      ...(index === 0 && at !== undefined ? [at] : []),
    ].join(", "),
  );
  const [to, from] = [rest.at(0)?.seq, rest.at(-1)?.seq];
  const more =
    rest.length === 0 ? [] : [numbered ? `${rest.length} more, #${from} to #${to}` : `${rest.length} more`];
  return `[${[...items, ...more].join("; ")}.${numbered ? " recall opens one." : ""}]`;
}
