import { expect, it } from "vitest";
import type { SessionRecord } from "../../storage/stores.ts";
import type { TurnRecord } from "../../storage/turns/turns.ts";
import { createTurnEvents, type TurnWatch } from "./turn-events.ts";

const turn = { turnId: "t1" } as TurnRecord;

function noting(name: string, heard: string[]): Required<TurnWatch> {
  const note = (what: string) => () => void heard.push(`${name} ${what}`);
  return {
    begun: note("begun"),
    event: note("event"),
    waiting: note("waiting"),
    async ending() {
      heard.push(`${name} is asked`);
      await Promise.resolve();
      heard.push(`${name} ending`);
    },
    ended: note("ended"),
    over: note("over"),
  };
}

it("tells everybody in the order of subscribing, and of the end in reverse", async () => {
  const heard: string[] = [];
  const { publish, subscribe } = createTurnEvents();
  subscribe(noting("first", heard));
  subscribe({});
  subscribe(noting("second", heard));
  publish.begun(turn, {} as SessionRecord);
  publish.event(turn, { type: "text-delta", text: "a" });
  publish.over("t1");
  publish.ended(turn, []);
  expect(heard).toEqual([
    "first begun",
    "second begun",
    "first event",
    "second event",
    "first over",
    "second over",
    "second ended",
    "first ended",
  ]);
});

it("waits for each before the turn ends, one after the other", async () => {
  const heard: string[] = [];
  const { publish, subscribe } = createTurnEvents();
  subscribe(noting("first", heard));
  subscribe(noting("second", heard));
  await publish.ending(turn);
  expect(heard).toEqual(["first is asked", "first ending", "second is asked", "second ending"]);
});
