import type { Entry } from "@pincer/sdk";
import { expect, it } from "vitest";
import type { JournalRow } from "../../storage/turns/turns.ts";
import { mergeRunEvents } from "./merge-run-events.ts";

const at = (second: number) => `2026-01-01T12:00:0${second}.000Z`;

function said(seq: number, time: string, message: unknown): Entry {
  return { type: "message", seq, time, message } as Entry;
}
const user = (seq: number, time: string) => said(seq, time, { role: "user", content: [] });
const assistant = (seq: number, time: string) => said(seq, time, { role: "assistant", content: [] });
const result = (seq: number, time: string, toolCallId: string) =>
  said(seq, time, { role: "toolResult", toolCallId, toolName: "exec", content: [] });
const begin = (seq: number, time: string, callId: string): JournalRow => ({
  type: "tool-begin",
  callId,
  name: "exec",
  idempotent: false,
  seq,
  time,
});

const told = (steps: JournalRow[], entries: Entry[]) =>
  mergeRunEvents(steps, entries, []).map((event) => {
    if (event.type === "step")
      return event.step.type === "tool-begin" ? `begin ${String(event.step["callId"])}` : event.step.type;
    if (event.type !== "entry" || event.entry.type !== "message") return event.type;
    const { message } = event.entry;
    return message.role === "toolResult" ? `result ${message.toolCallId}` : message.role;
  });

const steps = (times: number[]): JournalRow[] => [
  { type: "claimed", claims: 1, seq: 1, time: at(times[0] ?? 0) },
  begin(2, at(times[1] ?? 0), "a"),
  begin(3, at(times[2] ?? 0), "b"),
  { type: "ended", ending: { type: "answered" }, seq: 4, time: at(times[3] ?? 0) },
];
const wanted = [
  "claimed",
  "user",
  "assistant",
  "begin a",
  "result a",
  "begin b",
  "result b",
  "assistant",
  "ended",
];

it.each([
  ["at times of their own", [0, 2, 4, 7], [1, 1, 3, 5, 6]],
  ["all within one millisecond", [0, 0, 0, 0], [0, 0, 0, 0, 0]],
  ["partly at the same time", [0, 1, 2, 3], [0, 1, 1, 2, 3]],
])(
  "PROTO-10 puts steps and entries into the order in which they happened, %s",
  (_when, stepTimes, entryTimes) => {
    const [one = 0, two = 0, three = 0, four = 0, five = 0] = entryTimes;
    const entries = [
      user(2, at(one)),
      assistant(3, at(two)),
      result(4, at(three), "a"),
      result(5, at(four), "b"),
      assistant(6, at(five)),
    ];
    expect(told(steps(stepTimes), entries)).toEqual(wanted);
  },
);
