/**
 * Sends scouts: children that read the web with nothing private in their context, so that every public address is free
 * there. A scout sees the present message and, where nobody could have put something private into it, a brief.
 */
import { textOf, type Message, type MessageEntry, type TextBlock, type UserMessage } from "@pincer/sdk";
import { firstPart } from "../../infra/cut-text.ts";
import type { TurnRecord, TurnStore } from "../../storage/turns/turns.ts";
import type { ScoutBrief, ScoutReport, SendScout } from "../../tools/web/research.ts";
import type { ChildTurns } from "../children/child-turns.ts";
import { scoutLimits } from "./scout-words.ts";

export interface ScoutParts {
  turns: Pick<TurnStore, "entries">;
  children: ChildTurns;
}

export function createScouts({ turns, children }: ScoutParts): SendScout {
  return async function send({ turnId, callId, brief }, signal) {
    const entries = await turns.entries(turnId);
    const says = [...presentWords(entries.filter(isMessage)), ...briefWords(brief)];
    if (says.length === 0) throw new Error("there is no message that a scout could be sent with");
    const deadlineMs = scoutLimits.minutes * 60_000;
    const result = await children.run({ kind: "scout", turnId, callId, says, deadlineMs }, signal);
    return reportOf(result);
  };
}

const isMessage = (entry: { type: string }): entry is MessageEntry => entry.type === "message";

/** What the person said in the present message, without what came along with it. */
const presentWords = (entries: readonly MessageEntry[]): TextBlock[] =>
  entries.flatMap(({ message }) =>
    message.role === "user"
      ? message.content.filter(isSaid).map(({ text, origin, from }) => said(text, origin, from))
      : [],
  );

/** Somebody else's turn is theirs. What a group said before stands in a block of its own, of the group and no person. */
function isSaid(block: UserMessage["content"][number]): block is TextBlock {
  // What was surely pasted came along; what may have been is most likely the person's own.
  if (block.type !== "text" || block.typed === false || block.pasted === "certain") return false;
  const { origin, from } = block;
  return origin === "owner" || origin === "peer" || (origin === "group" && from !== "the group");
}

const said = (text: string, origin: TextBlock["origin"], from: string | undefined): TextBlock => ({
  type: "text",
  text: firstPart(text, scoutLimits.messageCharacters),
  ...(origin && { origin }),
  ...(from !== undefined && { from }),
});

function briefWords(brief: ScoutBrief | undefined): TextBlock[] {
  if (!brief) return [];
  const urls = brief.urls.length > 0 ? [`Addresses: ${brief.urls.join(" ")}`] : [];
  const text = [`[The assistant asks:]`, brief.question, ...urls].join("\n");
  // What it may tell was decided when it was given; that a stranger may have worded it stays with it.
  return [{ ...said(text, "system", "the assistant"), label: { untrusted: brief.isTainted, sources: [] } }];
}

function reportOf({ turn, messages }: { turn: TurnRecord; messages: readonly Message[] }): ScoutReport {
  const answer = messages.findLast((message) => message.role === "assistant");
  const text = answer ? textOf(answer).trim() : "";
  const pages = [...new Set(messages.flatMap(pageOf))];
  if (turn.ending?.type !== "answered" && turn.ending?.type !== "cut")
    throw new Error(`the scout came to no end: ${whyOf(turn)}`);
  return { text, pages };
}

const whyOf = ({ ending }: TurnRecord): string => {
  if (!ending) return "unknown";
  return "reason" in ending ? ending.reason : ending.type;
};

/** Where a page that it read came from in the end. */
function pageOf(message: Message): string[] {
  if (message.role !== "toolResult" || message.isError || message.toolName !== "web_fetch") return [];
  const { data } = (message.details ?? {}) as { data?: { url?: unknown } };
  return typeof data?.url === "string" ? [data.url] : [];
}
