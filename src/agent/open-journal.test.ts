import { describe, expect, it } from "vitest";
import { createRedactor } from "../infra/redactor.ts";
import type { TurnStore } from "../storage/turns/turns.ts";
import { openJournal, type Claimed } from "./open-journal.ts";

describe("the journal of a turn", () => {
  it.each([
    ["only reads is recorded with what comes next", { idempotent: true, acts: false }, "later"],
    [
      "changes something is on the disk before it does, though it may be repeated",
      { idempotent: true, acts: true },
      "now",
    ],
    ["must not be repeated is on the disk before it runs", { idempotent: false, acts: true }, "now"],
  ] as const)("a call that %s", async (_, kind, sync) => {
    const asked: unknown[] = [];
    const turns = { record: async (request: { sync: string }) => (asked.push(request.sync), []) };
    const claim = { turn: { turnId: "r" }, session: { sessionId: "s" }, entries: [] } as unknown as Claimed;
    const parts = { turns: turns as unknown as TurnStore, entries: {} as never, redactor: createRedactor() };
    const journal = openJournal(parts, claim, { name: "main", fencing: 1 });
    await journal.beginTool({ type: "toolCall", id: "c", name: "write", arguments: {} }, kind);
    expect(asked).toEqual([sync]);
  });
});
