import { createHandClock } from "@pincer/sdk/testing";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createIds } from "../infra/ids.ts";
import { createMemoryStores } from "./memory-stores.ts";
import type { QueueMode } from "./turns/turns.ts";
import type { TenantStores } from "./storage.ts";
import { parkFor, yes } from "./testing/approval-samples.ts";
import {
  claim,
  conversation,
  draft,
  ending,
  entriesFor,
  inbound,
  place,
  takeFence,
  turnFor,
} from "./testing/message-samples.ts";
import { request, texts } from "./testing/samples.ts";

const peers = ["p1", "p2", "p3"] as const;
type Peer = (typeof peers)[number];
/** Two of the conversations share a session. */
const sessionOf = (peer: Peer) => (peer === "p3" ? "alone" : "shared");

const message = fc.record({
  type: fc.constant("message" as const),
  peer: fc.constantFrom(...peers),
  mode: fc.constantFrom<QueueMode>("steer", "followup", "collect", "interrupt"),
  role: fc.constantFrom("owner" as const, "peer" as const),
});
const sessionStep = fc.record({
  type: fc.constantFrom(
    "claim" as const,
    "take" as const,
    "park" as const,
    "wait" as const,
    "answer" as const,
    "end" as const,
    "crash" as const,
  ),
  session: fc.constantFrom("shared", "alone"),
});

async function withTenant(work: (tenant: TenantStores) => Promise<void>): Promise<void> {
  const clock = createHandClock();
  const stores = createMemoryStores({ clock, ids: createIds(clock.now) });
  try {
    await work(stores.tenant("acme"));
  } finally {
    await stores.close();
  }
}

/** Runs the turns of each session one after the other, as a lane does. */
function createLanes(tenant: TenantStores) {
  const claimed = new Map<string, string>();
  let asked = 0;
  const fence = (session: string) => takeFence(tenant, session);
  const next = async (session: string) =>
    (await tenant.turns.pending({ limit: 1000 })).find(({ sessionKey }) => sessionKey === session);
  const steps = {
    async claim(session: string) {
      const turn = await next(session);
      if (!turn || claimed.has(session)) return;
      await claim(tenant, turn.turnId, await fence(session));
      claimed.set(session, turn.turnId);
    },
    async crash(session: string) {
      claimed.delete(session);
    },
    take: (session: string) =>
      within(session, async (turnId) => {
        await tenant.turns.takeInputs({ turnId, fence: await held(session, turnId), entriesFor });
      }),
    park: (session: string) =>
      within(session, async (turnId) => {
        const reason = "test";
        await tenant.turns.park({ turnId, fence: await held(session, turnId), state: "queued", reason });
        claimed.delete(session);
      }),
    wait: (session: string) =>
      within(session, async (turnId) => {
        const callId = String(asked++);
        await parkFor(tenant, turnId, await held(session, turnId), { callId, sessionKey: session });
        claimed.delete(session);
      }),
    async answer(session: string) {
      const open = await tenant.approvals.list({ limit: 1000, sessionKey: session, states: ["pending"] });
      for (const { id } of open) await tenant.approvals.answer(id, yes);
    },
    end: (session: string) =>
      within(session, async (turnId) => {
        await tenant.turns.end(ending(turnId, await held(session, turnId), { bodies: [] }));
        claimed.delete(session);
      }),
  };
  async function within(session: string, work: (turnId: string) => Promise<void>) {
    const turnId = claimed.get(session);
    if (turnId !== undefined) await work(turnId);
  }
  /** A process that continues a turn claims it under its own lease. */
  async function held(session: string, turnId: string) {
    const taken = await fence(session);
    await claim(tenant, turnId, taken);
    return taken;
  }
  return {
    ...steps,
    async drain(session: string) {
      await steps.answer(session);
      while (claimed.has(session) || (await next(session))) {
        await steps.claim(session);
        await steps.end(session);
      }
    },
  };
}

describe("messages on their way", () => {
  it("SESS-20 each end in exactly one turn and stand in the transcript once, in order of arrival", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(message, sessionStep), { minLength: 5, maxLength: 60 }),
        async (steps) => {
          await withTenant(async (tenant) => {
            const lanes = createLanes(tenant);
            const accepted: Array<{ id: string; peer: Peer; text: string }> = [];
            for (const [index, step] of steps.entries()) {
              if (step.type !== "message") {
                await lanes[step.type](step.session);
                continue;
              }
              const { peer, mode, role } = step;
              const text = `${peer} ${index}`;
              const { row } = await tenant.inbox.accept(
                inbound(String(index), { text, peer: { kind: "user", id: peer } }),
              );
              const outcome = await tenant.turns.enqueue(
                turnFor([row.id], {
                  session: request(sessionOf(peer)),
                  destination: place(peer),
                  person: { role, id: `telegram:${role}` },
                  mode,
                  cap: 5,
                }),
              );
              if (outcome.type === "full")
                await tenant.inbox.settle(row.id, { state: "done", reason: "full" });
              else accepted.push({ id: row.id, peer, text });
            }
            await lanes.drain("shared");
            await lanes.drain("alone");

            const turns = await tenant.turns.list({ limit: 1000 });
            const inputs = await Promise.all(turns.map(({ turnId }) => tenant.turns.inputs(turnId)));
            expect(
              inputs
                .flat()
                .map(({ id }) => id)
                .toSorted(),
            ).toEqual(accepted.map(({ id }) => id).toSorted());
            expect(new Set(inputs.flat().map(({ state }) => state)).size).toBeLessThanOrEqual(1);
            expect(inputs.flat().every(({ state }) => state === "done")).toBe(true);
            for (const turn of turns)
              for (const input of await tenant.turns.inputs(turn.turnId))
                expect(input.message.peer.id).toBe(turn.destination?.target.peerId);

            const written = await Promise.all(
              ["shared", "alone"].map(async (key) => {
                const session = await tenant.sessions.findActive("w1", key);
                return session ? texts(await tenant.entries.after(session.sessionId, 1, 1000)) : [];
              }),
            );
            for (const peer of peers)
              expect(written.flat().filter((text) => text.startsWith(peer))).toEqual(
                accepted.filter((one) => one.peer === peer).map(({ text }) => text),
              );
          });
        },
      ),
      { numRuns: 150 },
    );
  }, 30_000);

  it("CHAN-26 go out in order within a conversation, whatever happens to the attempts", async () => {
    const attempt = fc.record({
      type: fc.constantFrom(
        "sent" as const,
        "retry" as const,
        "uncertain" as const,
        "fail" as const,
        "crash" as const,
      ),
      peer: fc.constantFrom(...peers),
    });
    const saying = fc.record({
      type: fc.constantFrom("say" as const, "grow" as const),
      peer: fc.constantFrom(...peers),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(saying, attempt), { minLength: 5, maxLength: 60 }),
        async (steps) => {
          await withTenant(async ({ outbox }) => {
            /** What the network showed, in the order in which each message appeared. */
            const shown = new Map<string, { conversation: string; position: number; text: string }>();
            const error = { code: "unavailable", message: "500" };
            const attemptAt = async (peer: Peer, outcome: (typeof steps)[number]["type"]) => {
              const head = await outbox.head(conversation(peer));
              const row = head && (await outbox.beginSend(head.id));
              if (!row) return;
              if (outcome === "crash") await outbox.recover();
              else if (outcome === "retry") await outbox.retryAt(row.id, "2027-01-01T00:00:00.000Z", error);
              else if (outcome === "uncertain") await outbox.markUncertain(row.id, error);
              else if (outcome === "fail") await outbox.fail(row.id, error, { drafts: [] });
              else {
                const { conversation, position, text, version } = row;
                const first = shown.get(row.id);
                shown.set(row.id, first ? Object.assign(first, { text }) : { conversation, position, text });
                await outbox.markSent(row.id, { messageId: row.id, version, shownLength: text.length });
              }
            };
            for (const [index, step] of steps.entries()) {
              const words = draft(`${index}`, { destination: place(step.peer) });
              if (step.type === "say") await outbox.enqueue([words]);
              else if (step.type === "grow")
                await outbox.preview({ ...words, kind: "preview", turnId: "r_1" });
              else await attemptAt(step.peer, step.type);
            }
            for (const peer of peers)
              while (await outbox.head(conversation(peer))) await attemptAt(peer, "sent");

            expect(await outbox.unfinished()).toEqual([]);
            for (const peer of peers) {
              const positions = [...shown.values()]
                .filter((one) => one.conversation === conversation(peer))
                .map(({ position }) => position);
              expect(positions).toEqual(positions.toSorted((one, other) => one - other));
            }
            for (const row of await outbox.list({ limit: 1000, states: ["sent"] }))
              expect(shown.get(row.id)?.text).toBe(row.text);
            expect(await outbox.list({ limit: 1000, states: ["queued", "sending", "uncertain"] })).toEqual(
              [],
            );
          });
        },
      ),
      { numRuns: 150 },
    );
  });
});
