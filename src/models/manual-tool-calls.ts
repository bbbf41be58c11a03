/**
 * Lets a person call a tool by writing `tool:name {json}`, and run a line in the shell by writing `,line`, whichever model is connected. The call
 * takes the model's place for that turn, so it passes the same gate, the same limits and the same transcript. A line that failed is the model's to
 * put right; one that was refused is not.
 */
import {
  hasPastedLines,
  markedTexts,
  noUsage,
  textOf,
  typedAlone,
  type AssistantMessage,
  type Message,
  type Model,
  type ModelEvent,
  type ToolCallBlock,
  type ToolResultMessage,
} from "@pincer/sdk";

export interface ManualCallParts {
  makeCallId(): string;
  /** What its owner wrote for the shell, comma included, where that is what the turn is for. */
  line?: string | undefined;
  /** False where nobody wrote: what a program or another agent says may look like a call and is none. */
  runsCalls?: boolean;
  /** What is said of a line that printed nothing. */
  nothingPrinted?: string;
  /** Told of each call that a person wrote, before it is made. */
  onCall?(call: ToolCallBlock, kind: "call" | "line"): void;
}

export const withManualToolCalls = (model: Model, parts: ManualCallParts): Model => ({
  provider: model.provider,
  id: model.id,
  ...(model.limits && { limits: model.limits }),
  async *stream(request) {
    const manual = request.signal.aborted ? undefined : findManualCall(request.messages, parts);
    // In every request alike: what a model was shown once stays as it was.
    const messages = withFailuresWrapped(request.messages, manual);
    if (!manual)
      return yield* model.stream(messages === request.messages ? request : { ...request, messages });

    const { call, kind, result, since } = manual;
    const wasRefused = result !== undefined && isRefusal(result);
    const spoken = result && spokenOf(result, kind, parts.nothingPrinted);
    // A person who has said something else meanwhile wants an answer to that.
    const isLast = !since.some(({ role }) => role === "user");
    if (!result || spoken === undefined) {
      parts.onCall?.(call, kind);
      yield { type: "tool-call", call };
      yield { type: "end", message: said(model, [call], "toolUse") };
    } else if (kind === "line" && ((hasFailed(result) && !wasRefused) || !isLast)) {
      const answer = model.stream({ ...request, messages });
      // The person who typed it sees its output first, and then what the model makes of it.
      yield* since.length > 2 ? answer : behind(hasFailed(result) ? textOf(result) : spoken, answer);
    } else {
      yield { type: "text-delta", text: spoken };
      yield { type: "end", message: said(model, [{ type: "text", text: spoken }], "stop") };
    }
  },
});

interface ManualCall {
  call: ToolCallBlock;
  kind: "call" | "line";
  /** What followed it. */
  since: readonly Message[];
  result: ToolResultMessage | undefined;
}

/** The line of the turn, wherever in it; else the newest words, where they are a call. */
function findManualCall(
  messages: readonly Message[],
  { makeCallId, line, runsCalls = true }: ManualCallParts,
): ManualCall | undefined {
  if (!runsCalls) return undefined;
  const isLine = (message: Message) =>
    message.role === "user" && line !== undefined && endsWithLine(textOf(message).trim(), line.trim());
  const lineAt = messages.findLastIndex(isLine);
  const at = lineAt >= 0 ? lineAt : messages.findLastIndex(({ role }) => role === "user");
  const asked = messages[at];
  const call =
    lineAt >= 0 && line !== undefined
      ? parseShellLine(line, makeCallId)
      : asked && readManualCall(asked, makeCallId);
  if (!call) return undefined;
  const since = messages.slice(at + 1);
  const result = since.find((message): message is ToolResultMessage => message.role === "toolResult");
  return { call, kind: lineAt >= 0 ? "line" : "call", since, result };
}

/** Undefined when nobody typed a call. */
export const readManualCall = (message: Message, makeCallId: () => string): ToolCallBlock | undefined =>
  isTyped(message) ? parseManualToolCall(textOf(message), makeCallId) : undefined;

/**
 * What somebody passed on or quoted, they did not write; what a program or a pipe sent, nobody typed. What is pasted
 * behind the name of a tool may be the arguments, on one line.
 */
function isTyped(message: Message): boolean {
  const texts = message.content.filter((block) => block.type === "text");
  const pasted = texts.filter((block) => block.pasted === "certain");
  const others = texts.filter((block) => !pasted.includes(block));
  if (others.some(({ origin, typed }) => origin === "quoted" || typed === false)) return false;
  if (pasted.length === 0) return true;
  const typed = typedAlone(markedTexts(texts));
  const isSameTool = toolNamed(typed) !== undefined && toolNamed(typed) === toolNamed(textOf(message));
  return isSameTool && !hasPastedLines(markedTexts(texts));
}

/** When it was said may stand above it. */
const endsWithLine = (text: string, line: string): boolean => text === line || text.endsWith(`\n${line}`);

/** `,line` is a call of `exec`; undefined when the text is no such line. */
export function parseShellLine(text: string, makeCallId: () => string): ToolCallBlock | undefined {
  const command = /^,\s*(\S[\s\S]*)$/.exec(text.trim())?.[1];
  if (command === undefined) return undefined;
  return { type: "toolCall", id: makeCallId(), name: "exec", arguments: { command } };
}

/** What the line printed, without what is told only to models. */
function spokenOf(result: ToolResultMessage, kind: ManualCall["kind"], nothing = ""): string {
  const { output } = (result.details as { data?: { output?: unknown } } | undefined)?.data ?? {};
  if (kind === "line" && isRefusal(result)) return textOf(result).replace(/^execution_error: /, "");
  return kind === "line" && typeof output === "string" ? output.trimEnd() || nothing : textOf(result);
}

/** The same answer with some words before it. */
async function* behind(words: string, answer: AsyncIterable<ModelEvent>): AsyncIterable<ModelEvent> {
  const text = `${words}\n\n`;
  yield { type: "text-delta", text };
  for await (const event of answer) {
    if (event.type !== "end") yield event;
    else
      yield {
        ...event,
        message: { ...event.message, content: [{ type: "text", text }, ...event.message.content] },
      };
  }
}

const exitCodeOf = ({ details }: ToolResultMessage): number | undefined => {
  const { exitCode } = (details as { data?: { exitCode?: unknown } } | undefined)?.data ?? {};
  return typeof exitCode === "number" ? exitCode : undefined;
};

const hasFailed = (result: ToolResultMessage): boolean =>
  result.isError === true || (exitCodeOf(result) ?? 0) !== 0;

/** It never ran: the rules or a person said no. */
const isRefusal = (result: ToolResultMessage): boolean =>
  result.isError === true &&
  exitCodeOf(result) === undefined &&
  /^execution_error: (?:Denied:|\S+ may not run\b)/.test(textOf(result));

/** The same messages where no line of a person failed. */
function withFailuresWrapped(messages: Message[], manual: ManualCall | undefined): Message[] {
  let asked = "";
  const lines = new Map<string, string>();
  let isChanged = false;
  const wrapped = messages.map((message) => {
    if (message.role === "user") asked = textOf(message).trim();
    if (message.role === "assistant")
      for (const block of message.content) {
        const command = block.type === "toolCall" && block.name === "exec" ? block.arguments["command"] : "";
        if (block.type === "toolCall" && typeof command === "string" && isLineOf(asked, command))
          lines.set(block.id, command);
      }
    if (message.role !== "toolResult" || !hasFailed(message)) return message;
    const isNow = manual?.kind === "line" && manual.result === message;
    const command = isNow ? String(manual.call.arguments["command"]) : lines.get(message.toolCallId);
    if (command === undefined) return message;
    isChanged = true;
    const known = wrappings.get(message) ?? wrapFailure(command, message);
    wrappings.set(message, known);
    return known;
  });
  return isChanged ? wrapped : messages;
}

/** The same message always becomes the same text, so that comparisons by content find it again. */
const wrappings = new WeakMap<ToolResultMessage, ToolResultMessage>();

/** When it was said may stand above it. */
const isLineOf = (asked: string, command: string): boolean =>
  asked.trimEnd().endsWith(command) && /(?:^|\n),\s*$/.test(asked.trimEnd().slice(0, -command.length));

/** What went wrong, told so that no output can be taken for anybody's words. */
function wrapFailure(command: string, result: ToolResultMessage): ToolResultMessage {
  const code = exitCodeOf(result) ?? "none";
  const text = `<command cmd="${escaped(command)}" exit_code="${code}">\n${escaped(textOf(result))}\n</command>`;
  return { ...result, content: [{ type: "text", text }] };
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (sign) => entities[sign] ?? sign);

const manualCall = /^tool:\s*([A-Za-z][\w.-]*)\s*(.*)$/s;

const toolNamed = (text: string): string | undefined => manualCall.exec(text.trim())?.[1];

/** `tool:name` or `tool:name {json}`; undefined when the text is not such a call. */
export function parseManualToolCall(text: string, makeCallId: () => string): ToolCallBlock | undefined {
  const match = manualCall.exec(text.trim());
  if (!match) return undefined;
  const [, name = "", written = ""] = match;
  const call: ToolCallBlock = { type: "toolCall", id: makeCallId(), name, arguments: {} };
  if (written === "") return call;
  const value = parseObject(written);
  return value ? { ...call, arguments: value } : { ...call, invalidArguments: written };
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : undefined;
  } catch {
    // Not JSON: the caller reports it as arguments that cannot be used.
    return undefined;
  }
}

const said = (
  model: Model,
  content: AssistantMessage["content"],
  stopReason: AssistantMessage["stopReason"],
): AssistantMessage => ({
  role: "assistant",
  content,
  provider: model.provider,
  model: model.id,
  usage: noUsage(),
  stopReason,
});
