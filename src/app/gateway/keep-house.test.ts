import { createHandClock } from "@pincer/sdk/testing";
import { expect, it } from "vitest";
import { createIds } from "../../infra/ids.ts";
import { createMemoryStores } from "../../storage/memory-stores.ts";
import { keepHouse, keptForMs } from "./keep-house.ts";

it("clears away what is over for a month, keeps what is not, and goes on after a bad day", async () => {
  const clock = createHandClock();
  const stores = createMemoryStores({ clock, ids: createIds(clock.now) }).tenant("t");
  const accept = (id: string) =>
    stores.inbox.accept({
      tenantId: "t",
      workspaceId: "w",
      channel: "fake",
      accountId: "default",
      peer: { kind: "user", id: "42" },
      sender: { id: "42" },
      message: { type: "text", id, text: "hi", attachments: [], mentioned: true },
      timestamp: clock.now(),
    });
  const { row } = await accept("old");
  await stores.inbox.settle(row.id, { state: "refused", reason: null });
  await accept("waiting");
  const stop = new AbortController();
  const errors: unknown[] = [];
  let fails = 1;
  const flaky = {
    ...stores,
    turns: {
      ...stores.turns,
      prune: async (before: string, limit: number) => {
        if (fails-- > 0) throw new Error("the disk is full");
        return stores.turns.prune(before, limit);
      },
    },
  };
  const keeping = keepHouse({
    stores: flaky,
    clock,
    signal: stop.signal,
    onError: (error) => errors.push(error),
  });
  await clock.advance(10 * 60_000);
  expect(errors).toHaveLength(1);
  await clock.advance(keptForMs + 86_400_000);
  expect(await stores.inbox.find("fake", "default", "old")).toBeUndefined();
  expect(await stores.inbox.find("fake", "default", "waiting")).toMatchObject({ state: "new" });
  stop.abort();
  await keeping;
});
