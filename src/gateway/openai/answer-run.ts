/** The result of a run, for a program that asked. */
import type { Entry, Message, ToolCallBlock } from "@pincer/sdk";
import type { RunAnswer } from "./openai-api.ts";
import type { Say } from "../../infra/texts.ts";
import type { RecalledTurn, TurnEndingRecord, TurnRecord } from "../../storage/turns/turns.ts";
import { answerOf, type AskAnswer } from "../../routing/ask-turn.ts";
import { wishesOf } from "../../agent/turns/turn-wishes.ts";

/** `model` is what it was asked as. */
export function answerOfRun({ turn, session, entries }: RecalledTurn, model: string, say: Say): RunAnswer {
  const answer = answerOf(turn, session, entries, () => "");
  const { ending } = turn;
  const isHandedOver = ending?.type === "handed-over";
  const told = {
    runId: turn.turnId,
    createdAt: turn.queuedAt,
    sessionKey: turn.sessionKey,
    model,
    text: ending?.type === "silent" ? "" : answer.result,
    calls: isHandedOver ? handedOver(entries, wishesOf(turn).clientTools ?? []) : [],
    usage: answer.usage,
  };
  if (turn.state === "dead") {
    const message = say("turn.buried", { claims: turn.claims });
    return { ...told, end: "stop", error: { code: "turn/aborted", message } };
  }
  if (ending === null) return { ...told, end: "running" };
  if (isHandedOver) return { ...told, end: "tool_calls" };
  if (isLimited(ending)) return { ...told, end: "length" };
  return { ...told, end: "stop", ...(answer.error ? { error: errorFor(turn, answer) } : {}) };
}

/** What is wrong inside, and where, is the owner's to know; a guest hears what they would be told in a chat. */
function errorFor({ person }: TurnRecord, { error, result }: AskAnswer): NonNullable<AskAnswer["error"]> {
  const told = error ?? { code: "internal/bug", message: "" };
  return person.role === "peer" ? { code: told.code, message: result } : told;
}

/** What there is of it is an answer, and says itself where it ends. */
const isLimited = ({ type }: TurnEndingRecord): boolean =>
  type === "cut" || type === "step-limit" || type === "repeated-calls" || type === "breaker";

function handedOver(entries: readonly Entry[], tools: ReadonlyArray<{ name: string }>): ToolCallBlock[] {
  const names = new Set(tools.map(({ name }) => name));
  const last = entries
    .flatMap((entry): Message[] => (entry.type === "message" ? [entry.message] : []))
    .findLast((message) => message.role === "assistant");
  const calls = last?.role === "assistant" ? last.content.filter((block) => block.type === "toolCall") : [];
  return calls.filter(({ name }) => names.has(name));
}
