/** The live output of a run that is not stored yet, as rows. */
import { answerId, cardsOf } from "../approvals/request-cards.ts";
import type { LiveRun } from "./conversation.ts";
import type { AnswerRow, Row } from "./row.ts";

/** Rows at the end among which a call that runs is found. */
const nearby = 200;

export function liveRows(run: LiveRun, stored: readonly Row[]): Row[] {
  const { runId, said, calls, approvals, state } = run;
  const isStored = (text: string) =>
    text !== "" &&
    stored.slice(-nearby).some((row) => row.type === "answer" && row.runId === runId && row.text === text);
  const words = said.flatMap((saying, index): Row[] =>
    // A page of the history may bring an answer a moment before the run reports it as said.
    (saying.text === "" && saying.thinking === "") || isStored(saying.text)
      ? []
      : [{ key: `live:${runId}:${index === said.length - 1 ? "now" : index}`, ...liveAnswer(runId, saying) }],
  );
  const known = new Set(stored.slice(-nearby).flatMap((row) => (row.type === "tool" ? [row.call] : [])));
  const unstored = calls.filter(({ call, isOver }) => !isOver && !known.has(`${runId} ${call.id}`));
  const pending = approvals.filter((approval) => approval.state === "pending");
  return [
    ...words,
    ...unstored.map(({ call, startedAt }): Row => ({
      key: `live-call:${runId}:${call.id}`,
      type: "tool",
      call: `${runId} ${call.id}`,
      seq: 0,
      time: startedAt,
      name: call.name,
      arguments: call.arguments,
      state: pending.some(({ callId }) => callId === call.id) ? "waiting" : "running",
      output: "",
      pictures: [],
      resultSeq: 0,
      ms: undefined,
      exitCode: undefined,
    })),
    ...cardsOf(pending).map((card): Row => ({ key: `approval:${answerId(card)}`, type: "approval", card })),
    ...(pending.length === 0 && (said.at(-1)?.text ?? "") === ""
      ? [{ key: `working:${runId}`, type: "working" as const, runId, state }]
      : []),
  ];
}

const liveAnswer = (runId: string, { text, thinking }: LiveRun["said"][number]): AnswerRow => ({
  type: "answer",
  seq: 0,
  runId,
  time: "",
  text,
  thinking,
  isLive: true,
  model: "",
  isByModel: true,
  cost: 0,
  tokens: 0,
  isLast: false,
  isStopped: false,
  error: "",
});
