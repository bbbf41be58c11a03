/**
 * Reads the plain form of a transcript, as other assistants write it: a line `{"type":"session","id","cwd"}`, then lines of type `message`
 * and `compaction`, without numbers and checksums. Whatever it says is a file's words and nobody's own: no permission follows from them.
 */
import { defaultScope, formatSessionKey, noUsage, type Entry, type EntryBody } from "@pincer/sdk";
import { createHash } from "node:crypto";
import { createSay, type Say } from "../../infra/texts.ts";
import { decodeLine } from "./decode-line.ts";
import { encodeLine } from "./line-codec.ts";
import type { TranscriptProblem } from "./read-transcript.ts";
import { isSafeSessionId } from "./safe-session-id.ts";

export interface ForeignReading {
  sessionId: string;
  entries: Entry[];
  problems: TranscriptProblem[];
}

/** Undefined where the text is no such transcript. `at` is the time of lines that have none. Never throws. */
export function readForeignTranscript(
  text: string,
  { at, say = createSay("en") }: { at: Date; say?: Say },
): ForeignReading | undefined {
  const lines = text.split("\n").map((line, index) => ({ number: index + 1, value: parse(line), line }));
  const first = lines.find(({ line }) => line.trim() !== "");
  const header =
    first && isRecord(first.value) && first.value["type"] === "session" ? first.value : undefined;
  const foreignId = header && textAt(header, "id");
  // A damaged one of ours has a checksum, which says that nothing of it may be believed.
  if (!first || !header || !foreignId || lines.some(({ line }) => /"sum":"[0-9a-f]{0,8}/.test(line)))
    return undefined;
  const id = idOf(foreignId);
  const entries: Entry[] = [];
  const problems: TranscriptProblem[] = [];
  /** Our number for what the file calls it. */
  const numbers = new Map<string, number>();

  const add = (body: EntryBody | undefined, value: Record<string, unknown>, line: number): void => {
    const seq = entries.length + 1;
    const entry = body && Object.assign({ seq, time: timeOf(value, at) }, body);
    const checked = entry && decodeLine(encodeLine(entry), say);
    if (!checked?.ok) {
      const reason = checked ? checked.reason : say("transcript.flaw.no-object");
      return void problems.push({ type: "bad-line", line, reason });
    }
    entries.push(checked.entry);
    const name = textAt(value, "id");
    if (name) numbers.set(name, seq);
  };

  add(sessionBody(header, id), header, first.number);
  for (const { number, value, line } of lines) {
    if (number <= first.number || line.trim() === "") continue;
    if (isRecord(value)) add(bodyOf(value, numbers, entries.length + 1), value, number);
    else problems.push({ type: "bad-line", line: number, reason: say("transcript.flaw.no-object") });
  }
  return { sessionId: id, entries, problems };
}

/** One that cannot name a file becomes one that can, the same each time. */
function idOf(foreign: string): string {
  const plain = foreign.toLowerCase();
  return isSafeSessionId(plain)
    ? plain
    : `s_${createHash("sha256").update(foreign).digest("hex").slice(0, 24)}`;
}

const sessionBody = (header: Record<string, unknown>, id: string): EntryBody => ({
  type: "session",
  id,
  cwd: textAt(header, "cwd") ?? "/",
  ...defaultScope,
  sessionKey: formatSessionKey({ ...defaultScope, conversation: { type: "named", name: id } }),
  version: 1,
});

function bodyOf(
  value: Record<string, unknown>,
  numbers: ReadonlyMap<string, number>,
  seq: number,
): EntryBody | undefined {
  if (value["type"] === "message") return messageBody(value["message"]);
  if (value["type"] !== "compaction") return undefined;
  const summary = textAt(value, "summary");
  const keepFrom = numbers.get(textAt(value, "keepFrom") ?? "") ?? seq;
  return summary === undefined ? undefined : { type: "compaction", summary, keepFrom, origins: ["file"] };
}

function messageBody(message: unknown): EntryBody | undefined {
  if (!isRecord(message)) return undefined;
  const { content } = message;
  const blocks = typeof content === "string" ? [{ type: "text", text: content }] : content;
  if (!Array.isArray(blocks)) return undefined;
  const known = blocks.filter(isRecord).flatMap(blockOf);
  const words = known.filter((block) => block.type === "text");
  switch (message["role"]) {
    case "user":
      return { type: "message", message: { role: "user", content: words } };
    case "assistant":
      return {
        type: "message",
        message: {
          role: "assistant",
          content: known,
          origin: "file",
          provider: textAt(message, "provider") ?? "imported",
          model: textAt(message, "model") ?? "unknown",
          usage: noUsage(),
          stopReason: known.some(({ type }) => type === "toolCall") ? "toolUse" : "stop",
        },
      };
    case "toolResult":
      return {
        type: "message",
        message: {
          role: "toolResult",
          toolCallId: textAt(message, "toolCallId") ?? "",
          toolName: textAt(message, "toolName") ?? "tool",
          content: words,
          isError: message["isError"] === true,
          origin: "file",
        },
      };
    default:
      return undefined;
  }
}

type Block =
  | { type: "text"; text: string; origin: "file" }
  | { type: "toolCall"; id: string; name: string; arguments: Record<string, unknown> };

/** Pictures and thoughts stay behind: the file does not have the one, and the other is of use to its own provider alone. */
function blockOf(block: Record<string, unknown>): Block[] {
  const text = textAt(block, "text");
  if (block["type"] === "text" && text !== undefined) return [{ type: "text", text, origin: "file" }];
  const [id, name] = [textAt(block, "id"), textAt(block, "name")];
  if (block["type"] !== "toolCall" || id === undefined || name === undefined) return [];
  return [{ type: "toolCall", id, name, arguments: isRecord(block["arguments"]) ? block["arguments"] : {} }];
}

function timeOf(value: Record<string, unknown>, at: Date): string {
  const given = value["timestamp"] ?? value["time"];
  const time = new Date(typeof given === "string" || typeof given === "number" ? given : at);
  return (Number.isNaN(time.getTime()) ? at : time).toISOString();
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // The caller counts it among the lines that are no objects.
    return undefined;
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const textAt = (value: Record<string, unknown>, name: string): string | undefined => {
  const field = value[name];
  return typeof field === "string" && field !== "" ? field : undefined;
};
