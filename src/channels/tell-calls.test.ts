import type { Destination, ToolCallBlock } from "@pincer/sdk";
import { expect, it } from "vitest";
import { createSay } from "../infra/texts.ts";
import type { OutboxDraft, OutboxRow } from "../storage/outbox/outbox.ts";
import type { SessionRecord } from "../storage/stores.ts";
import type { TurnRecord } from "../storage/turns/turns.ts";
import { tellCalls } from "./tell-calls.ts";

const destination: Destination = {
  channel: "telegram",
  accountId: "default",
  target: { peerKind: "user", peerId: "42" },
};
const turn = { turnId: "turn_1", destination, person: { role: "owner", id: "telegram:42" } } as TurnRecord;
const session = (settings: Record<string, string>) => ({ settings }) as unknown as SessionRecord;
const call = (name: string, given: Record<string, unknown>): ToolCallBlock => ({
  type: "toolCall",
  id: "c1",
  name,
  arguments: given,
});

function stage({ fails = false } = {}) {
  const said: string[] = [];
  const errors: unknown[] = [];
  const watch = tellCalls({
    outbox: {
      async enqueue(drafts) {
        if (fails) throw new Error("full");
        said.push(...drafts.map(({ text }) => text));
        return [] as OutboxRow[];
      },
    },
    replies: { drafts: ({ text }) => [{ text } as OutboxDraft] },
    wake: () => {},
    redactor: { text: (text) => text.replaceAll("hunter2", "***") },
    say: createSay("en"),
    onError: (error) => errors.push(error),
  });
  const start = (name: string, given: Record<string, unknown>) =>
    watch.event?.(turn, { type: "tool-call-start", call: call(name, given) });
  return { watch, start, said, errors };
}

it("tells of each call where the session wishes it, in one line and without secrets", async () => {
  const { watch, start, said } = stage();
  watch.begun?.(turn, session({ verbose: "on" }));
  start("exec", { command: "echo hunter2\n&& ls" });
  start("write_file", { path: "a", content: "x" });
  start("time_now", {});
  await Promise.resolve();
  expect(said).toEqual(["→ exec: echo *** && ls", '→ write_file: {"path":"a","content":"x"}', "→ time_now"]);
  watch.ended?.(turn, []);
  start("exec", { command: "later" });
  expect(said).toHaveLength(3);
});

it.each([
  ["somebody else", { person: { role: "peer", id: "telegram:7" } }],
  ["a group", { destination: { ...destination, target: { peerKind: "group", peerId: "7" } } }],
])("tells %s that a call is made, not with what", async (_whom, where) => {
  const { watch, said } = stage();
  const there = { ...turn, ...where } as TurnRecord;
  watch.begun?.(there, session({ verbose: "on" }));
  watch.event?.(there, { type: "tool-call-start", call: call("exec", { command: "cat private.txt" }) });
  await Promise.resolve();
  expect(said).toEqual(["→ exec"]);
});

it("tells nothing where nobody wished it, and a line that fails stops nothing", async () => {
  const quiet = stage();
  quiet.watch.begun?.(turn, session({}));
  quiet.start("exec", { command: "ls" });
  expect(quiet.said).toEqual([]);
  const broken = stage({ fails: true });
  broken.watch.begun?.(turn, session({ verbose: "on" }));
  broken.start("exec", { command: "ls" });
  await new Promise((resolve) => setImmediate(resolve));
  expect(broken.errors).toMatchObject([{ message: "full" }]);
});
