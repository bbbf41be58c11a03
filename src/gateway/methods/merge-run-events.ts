import type { Entry, RunEventView } from "@pincer/sdk";
import type { JournalRow } from "../../storage/turns/turns.ts";

/**
 * Each list is in order; between them time decides. Within one millisecond what must have come first comes first: a claim before what
 * was said, a call before its result, the end after everything that was said, and what goes out last.
 */
export function mergeRunEvents(
  steps: readonly JournalRow[],
  entries: readonly Entry[],
  messages: readonly RunEventView[],
): RunEventView[] {
  const told: RunEventView[] = [];
  let next = 0;
  for (const entry of entries) {
    for (let step = steps[next]; step && comesBefore(step, entry); step = steps[++next])
      told.push(viewStep(step));
    told.push({ type: "entry", time: entry.time, entry });
  }
  told.push(...steps.slice(next).map(viewStep));
  for (const message of messages) {
    const place = told.findLastIndex(({ time }) => time <= message.time);
    told.splice(place + 1, 0, message);
  }
  return told;
}

function comesBefore(step: JournalRow, entry: Entry): boolean {
  if (step.time !== entry.time) return step.time < entry.time;
  if (step.type === "tool-begin") {
    return (
      entry.type === "message" &&
      entry.message.role === "toolResult" &&
      entry.message.toolCallId === step.callId
    );
  }
  return step.type === "claimed" || step.type === "steered";
}

function viewStep({ time, seq: _place, ...step }: JournalRow): RunEventView {
  return { type: "step", time, step };
}
