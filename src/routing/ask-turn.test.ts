import { createHandClock } from "@pincer/sdk/testing";
import { describe, expect, it } from "vitest";
import { createIds } from "../infra/ids.ts";
import { createRedactor } from "../infra/redactor.ts";
import { createMemoryStores } from "../storage/memory-stores.ts";
import { routeMessage } from "./route-message.ts";
import { queueAsk } from "./ask-turn.ts";

function stage() {
  const clock = createHandClock();
  const ids = createIds(clock.now);
  const stores = createMemoryStores({ clock, ids }).tenant("t_default");
  const redactor = createRedactor();
  const place = { tenantId: "t_default", workspaceId: "w_default" };
  const ask = (input: string, idempotencyKey: string) =>
    queueAsk(
      {
        ...place,
        turns: stores.turns,
        clock,
        ids,
        redactor,
        route: (request) => routeMessage(request, { ...place, defaultAgentId: "main", agentIds: ["main"] }),
        setups: { check: async () => ({ workdir: "/" }) },
      },
      { input, idempotencyKey, wishes: {}, channel: "cli", direct: false },
    );
  return { ask, stores, redactor };
}

describe("a question that somebody waits for", () => {
  it("PROTO-11 is one question under one key, however often it is asked, and never lies about without a turn", async () => {
    const { ask, stores } = stage();
    const first = await ask("what?", "k");
    expect(first.duplicate).toBe(false);
    expect(await stores.inbox.listNew(9)).toEqual([]);
    expect(await ask("what?", "k")).toEqual({ turn: first.turn, duplicate: true, joined: false });
    await expect(ask("something else", "k")).rejects.toMatchObject({ code: "usage/bad-argument" });
    expect(await stores.turns.list({ limit: 9 })).toHaveLength(1);
  });

  it("is stored without the secrets in it", async () => {
    const { ask, stores, redactor } = stage();
    redactor.add("key", "sk-12345678");
    const { turn } = await ask("keep sk-12345678", "k");
    expect(JSON.stringify(await stores.turns.inputs(turn.turnId))).not.toContain("sk-12345678");
    expect((await ask("keep sk-12345678", "k")).duplicate).toBe(true);
  });
});
