import { createHandClock } from "@pincer/sdk/testing";
import { expect, it } from "vitest";
import { createTurnTable } from "../routing/testing/turn-table.ts";
import type { TurnRecord } from "../storage/turns/turns.ts";
import type { SessionRecord } from "../storage/stores.ts";
import { peer } from "./testing/delivery-stage.ts";
import { watchQueued } from "./watch-queued.ts";

const session = {} as SessionRecord;

function stage() {
  const clock = createHandClock();
  const told: string[] = [];
  const turn: TurnRecord = {
    ...createTurnTable().queue("a"),
    destination: peer("ann"),
    person: { role: "peer", id: "recording:ann" },
  };
  const queued = watchQueued({
    lines: { tell: ({ person }, { type }) => void told.push(`${person} ${type}`) },
    clock,
    find: async () => turn,
  });
  return { clock, told, turn, queued };
}

it("tells the sender once that a turn has not begun within a minute", async () => {
  const { clock, told, turn, queued } = stage();
  queued.queued(turn);
  await clock.advance(30_000);
  queued.queued(turn);
  expect(told).toEqual([]);
  await clock.advance(29_000);
  expect(told).toEqual(["recording:ann queued"]);
  await clock.advance(600_000);
  expect(told).toHaveLength(1);
});

it("says nothing about a turn that begins in time, and leaves no timer behind", async () => {
  const { clock, told, turn, queued } = stage();
  queued.queued(turn);
  await clock.advance(30_000);
  queued.begun(turn, session);
  expect(clock.sleeping()).toBe(0);
  await clock.advance(600_000);
  expect(told).toEqual([]);
});

it("tells at once whose turn is held up by us, also one of an earlier process", async () => {
  const { told, turn, queued } = stage();
  await queued.held(turn.turnId, new Error("no"));
  expect(told).toEqual(["recording:ann held"]);
});

it("tells nobody where the system itself began the turn", async () => {
  const { clock, told, turn, queued } = stage();
  queued.queued({ ...turn, person: { role: "system", id: "system" } });
  await clock.advance(60_000);
  expect(told).toEqual([]);
});
