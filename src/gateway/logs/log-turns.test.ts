import { expect, it } from "vitest";
import type { LogIds } from "@pincer/sdk";
import { createHandClock } from "@pincer/sdk/testing";
import type { SessionRecord } from "../../storage/stores.ts";
import type { TurnRecord } from "../../storage/turns/turns.ts";
import { logTurns } from "./log-turns.ts";

it("writes a line for each turn with the ids of run, session, channel, account and person", async () => {
  const clock = createHandClock();
  const lines: Array<[string, LogIds | undefined]> = [];
  const log = {
    debug: (message: string, ids?: LogIds) => lines.push([message, ids]),
    note: (message: string, ids?: LogIds) => lines.push([message, ids]),
  };
  const logged = logTurns(log, clock);
  const turn = {
    turnId: "run_1",
    startedAt: "2026-01-01T12:00:00.000Z",
    sessionKey: "agent:main:main",
    destination: { channel: "local", accountId: "a", chatId: "c" },
    origin: { channel: "local" },
    person: { role: "owner", id: "ada" },
  } as unknown as TurnRecord;
  logged.begun?.(turn, {} as SessionRecord);
  await clock.advance(1200);
  logged.ended?.(turn, []);
  const ids = {
    runId: "run_1",
    sessionKey: "agent:main:main",
    channel: "local",
    accountId: "a",
    caller: "owner:ada",
  };
  expect(lines).toEqual([
    ["a turn has begun", ids],
    ["a turn has ended after 1200 ms", ids],
  ]);
});
