import { defineTool, type Tool } from "@pincer/sdk";
import { Type } from "typebox";
import { oneLine, shorten } from "../../infra/one-line.ts";
import { granted, isOwner, type HistoryLine, type SessionAccess } from "./conversation-access.ts";

const usual = 20;
/** One long text must not displace all others. */
const mostLineChars = 1500;
const mostChars = 12_000;

export const createSessionsHistoryTool = ({ history }: Pick<SessionAccess, "history">): Tool =>
  defineTool({
    name: "sessions_history",
    effect: "read",
    controls: {},
    resultOrigin: "session",
    description: "Read what was said in another conversation, newest last.",
    input: Type.Object({
      session: Type.String({ description: "As sessions_list names it" }),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
      before: Type.Optional(Type.Integer({ minimum: 1, description: "Number of a line" })),
    }),
    isVisible: isOwner,
    async run({ session, limit = usual, before }, call) {
      const page = granted(await history({ session, limit, before }, call));
      const lines = newestThatFit(page.lines.map(lineOf));
      const first = page.lines.at(-lines.length)?.seq;
      const isCut = lines.length < page.lines.length;
      const next = isCut ? first : page.before;
      const more = next === undefined ? [] : [`(there is more: before ${next})`];
      return {
        text: [...more, ...lines].join("\n") || "nothing was said",
        details: { sessionKey: page.sessionKey, lines: lines.length, ...(next !== undefined && { next }) },
        from: page.sessionKey,
      };
    },
  });

/** At least one. */
function newestThatFit(lines: readonly string[]): string[] {
  let room = mostChars;
  const from = lines.findLastIndex((line) => (room -= line.length + 1) < 0);
  return lines.slice(Math.min(from + 1, Math.max(0, lines.length - 1)));
}

/** On one line, so that nobody can imitate another speaker or drop the label. */
function lineOf(line: HistoryLine): string {
  return `#${line.seq} ${line.time.slice(0, 16)}Z ${speaker(line)}: ${shorten(oneLine(line.text), mostLineChars)}`;
}

function speaker({ origin, from }: HistoryLine): string {
  if (origin === "owner") return "owner";
  if (origin === "assistant") return "you";
  if (origin === undefined) return "[unlabelled] user";
  const who = [origin, ...(from === undefined ? [] : [oneLine(from)])].join(" ");
  return origin === "system" ? who : `[untrusted: ${who}]`;
}
