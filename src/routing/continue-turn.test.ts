import { createHandClock } from "@pincer/sdk/testing";
import { describe, expect, it } from "vitest";
import { createIds } from "../infra/ids.ts";
import { createRedactor } from "../infra/redactor.ts";
import { routeMessage } from "./route-message.ts";
import { createMemoryStores } from "../storage/memory-stores.ts";
import { claim, ending, takeFence } from "../storage/testing/message-samples.ts";
import type { TurnEndingRecord } from "../storage/turns/turns.ts";
import { queueAsk } from "./ask-turn.ts";
import { queueContinue, type ContinueInput } from "./continue-turn.ts";

function stage() {
  const clock = createHandClock();
  const ids = createIds(clock.now);
  const stores = createMemoryStores({ clock, ids }).tenant("t_default");
  const place = { tenantId: "t_default", workspaceId: "w_default" };
  const parts = {
    ...place,
    turns: stores.turns,
    clock,
    ids,
    redactor: createRedactor(),
    route: (request: { sessionKey?: string }) =>
      routeMessage(request, { ...place, defaultAgentId: "main", agentIds: ["main"] }),
    setups: { check: async () => ({ workdir: "/" }) },
  };
  const input = { wishes: {}, channel: "cli", direct: false };
  /** Asks, and ends the turn like this. */
  const stopped = async (how: TurnEndingRecord, sessionKey = "one") => {
    const { turn } = await queueAsk(parts, {
      ...input,
      input: "count",
      sessionKey,
      wishes: { model: "stub", tools: { enabled: true, allow: [], maxSteps: 3 } },
    });
    const fence = await takeFence(stores, turn.sessionKey);
    await claim(stores, turn.turnId, fence);
    await stores.turns.end(ending(turn.turnId, fence, { state: "failed", ending: how }));
    return turn.turnId;
  };
  const goOn = (more: Partial<ContinueInput> = {}) =>
    queueContinue(parts, { ...input, input: "go on", idempotencyKey: "k", ...more });
  return { stores, stopped, goOn };
}

const limit = { type: "step-limit", steps: 3 } as const;

describe("going on with a turn that somebody waits for", () => {
  it("LOOP-05 queues it again, once for one key, with the wishes that it had", async () => {
    const { stopped, goOn } = stage();
    const turnId = await stopped(limit);
    const { turn, duplicate } = await goOn({ sessionKey: "one", wishes: { model: "other" } });
    expect({ duplicate, turnId: turn.turnId, state: turn.state }).toEqual({
      duplicate: false,
      turnId,
      state: "queued",
    });
    expect(turn.options).toMatchObject({ model: "other", tools: { maxSteps: 3 } });
    expect(await goOn({ sessionKey: "one" })).toMatchObject({ turn: { turnId }, duplicate: true });
    await expect(goOn({ sessionKey: "one", input: "something else" })).rejects.toMatchObject({
      code: "usage/bad-argument",
    });
  });

  it("LOOP-05 finds the session by the run", async () => {
    const { stopped, goOn } = stage();
    const runId = await stopped(limit);
    expect(await goOn({ runId })).toMatchObject({ turn: { turnId: runId } });
    await expect(goOn({ runId: "r_none", idempotencyKey: "l" })).rejects.toMatchObject({
      code: "usage/not-found",
    });
  });

  it.each([
    ["answered", { type: "answered" } as const],
    ["stopped", { type: "aborted", by: "stop" } as const],
  ])("says that there is nothing to go on with where the last turn was %s", async (_, how) => {
    const { stopped, goOn, stores } = stage();
    await stopped(how);
    await expect(goOn({ sessionKey: "one" })).rejects.toMatchObject({
      code: "usage/not-found",
      text: { key: "continue.nothing" },
    });
    expect(await stores.inbox.find("cli", "local", "k")).toBeUndefined();
  });
});
