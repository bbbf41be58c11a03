import { conversationOf, type InboundMessage } from "@pincer/sdk";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { inbound } from "./testing/inbound.ts";
import { stageRouter, ticks } from "./testing/router-stage.ts";

/** Ten places with the same peer id: five channels with two accounts each; some direct, some groups, some threads. */
const places = ["telegram", "feishu", "slack", "discord", "local"].flatMap((channel, index) =>
  ["default", "work"].map((accountId) => ({
    channel,
    accountId,
    peer: { kind: index === 2 ? ("group" as const) : ("user" as const), id: "42" },
    ...(index === 3 && { threadId: "42" }),
  })),
);

const step = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({ type: fc.constant("say" as const), place: fc.nat(9), id: fc.nat(7) }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ type: fc.constant("pass" as const), ms: fc.constantFrom(0, 50, 300, 1000) }),
  },
  { weight: 3, arbitrary: fc.record({ type: fc.constant("tick" as const), count: fc.nat(12) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("crash" as const) }) },
);

const plan = fc.record({
  steps: fc.array(step, { minLength: 10, maxLength: 80 }),
  queueMode: fc.constantFrom("steer" as const, "followup" as const, "collect" as const),
  dmScope: fc.constantFrom("main" as const, "per-peer" as const, "per-account-channel-peer" as const),
  owners: fc.subarray(["telegram:42", "feishu:42", "local:42", "discord:42"]),
  patience: fc.nat(8),
});

describe("interleaved conversations with equal ids", () => {
  it("ROUTE-03 ROUTE-11 answer every message once, in order, where it came from, through crashes", async () => {
    await fc.assert(
      fc.asyncProperty(plan, async ({ steps, queueMode, dmScope, owners, patience }) => {
        const stage = stageRouter({
          owners,
          routing: { queueMode, dmScope, queueCap: 1000 },
          work: (turn) => ticks((turn.position * patience) % 11),
        });
        await stage.start();
        const sent = new Map<string, string[]>();
        let crashes = 0;
        for (const [index, one] of steps.entries()) {
          if (one.type === "tick") await ticks(one.count);
          else if (one.type === "pass") await stage.clock.advance(one.ms);
          else if (one.type === "crash") {
            // Two crashes may hit the same message without making a dead letter of it.
            if (++crashes > 2) continue;
            await stage.clock.advance(1);
            await stage.restart();
            void stage.start();
          } else {
            const message = inbound({ ...places[one.place], id: `${one.id}`, text: `text ${index}` });
            const { row, type } = await stage.stores.inbox.accept(message);
            // The process may end between storing and telling the router.
            if (type !== "stored") continue;
            sent.set(row.conversation, [...(sent.get(row.conversation) ?? []), `text ${index}`]);
            stage.router().accept(row);
          }
        }
        await stage.settle();

        const turns = await stage.turns();
        const inputs = await Promise.all(turns.map(({ turnId }) => stage.stores.turns.inputs(turnId)));
        const answered = inputs.flat();
        expect(answered).toHaveLength([...sent.values()].flat().length);
        expect(new Set(answered.map(({ id }) => id)).size).toBe(answered.length);
        for (const [index, turn] of turns.entries()) {
          expect(turn.state).toBe("done");
          for (const row of inputs[index] ?? []) {
            expect(turn.destination && conversationOf(turn.destination)).toBe(row.conversation);
          }
        }
        const heard = new Map<string, string[]>();
        for (const { destination, text } of await stage.said()) {
          const words = text.replace("echo: ", "").split(" + ");
          const conversation = conversationOf(destination);
          heard.set(conversation, [...(heard.get(conversation) ?? []), ...words]);
        }
        expect(Object.fromEntries(heard)).toEqual(Object.fromEntries(sent));
      }),
      { numRuns: 60 },
    );
  }, 60_000);

  it("keeps two people apart who have the same id, and what they said", async () => {
    const stage = stageRouter();
    await stage.start();
    const said: InboundMessage[] = places.map((place, index) =>
      inbound({ ...place, id: "1", text: `secret ${index}` }),
    );
    for (const message of said) await stage.receive(message);
    await stage.settle();
    const turns = await stage.turns();
    expect(new Set(turns.map(({ sessionKey }) => sessionKey)).size).toBe(places.length);
    expect(new Set(turns.map(({ sessionId }) => sessionId)).size).toBe(places.length);
  });
});
