import { createHandClock } from "@pincer/sdk/testing";
import { describe, expect, it } from "vitest";
import { createIds } from "../../infra/ids.ts";
import { createMemoryStores } from "../../storage/memory-stores.ts";
import { createMemoryWatch } from "./watch-memory.ts";

describe("the watch over memory", () => {
  it("OBS-02 tells the owner once above the bound, and takes it back when it is over", async () => {
    const clock = createHandClock();
    const { notices } = createMemoryStores({ clock, ids: createIds(clock.now) }).tenant("acme");
    let told = 0;
    const watch = createMemoryWatch({ notices, boundBytes: 1000, told: () => void told++ });
    await watch.look(1000);
    expect(await notices.list({ limit: 5 })).toEqual([]);
    await watch.look(1001);
    await watch.look(5000);
    await watch.look(900);
    expect(told).toBe(1);
    expect(await notices.list({ limit: 5 })).toMatchObject([
      { kind: "memory", text: { key: "notice.memory" } },
    ]);
    await watch.look(700);
    expect(await notices.list({ limit: 5 })).toEqual([]);
    await watch.look(2000);
    expect(told).toBe(2);
  });
});
