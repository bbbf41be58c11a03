import { createHandClock, createPlainMemoryStore } from "@pincer/sdk/testing";
import { describe, expect, it } from "vitest";
import { defaultConfig } from "../../config/default-config.ts";
import type { Config } from "../../config/schema.ts";
import { createIds } from "../../infra/ids.ts";
import type { MemoryThread } from "../index/memory-thread.ts";
import { createMemoryStores } from "../../storage/memory-stores.ts";
import { request, say } from "../../storage/testing/samples.ts";
import { createIndexWork } from "./index-work.ts";

const config = (): Config => {
  const { agents, ...rest } = structuredClone(defaultConfig);
  const memorySearch = { ...agents.defaults.memorySearch, sources: ["memory", "sessions"] };
  return { ...rest, agents: { ...agents, defaults: { ...agents.defaults, memorySearch } } } as Config;
};

describe("what is brought to the index", () => {
  it("is what was said in sessions, but not what a program tells of a conversation of its own", async () => {
    const clock = createHandClock();
    const stores = createMemoryStores({ clock, ids: createIds(clock.now) }).tenant("t_default");
    const keys = [
      "agent:main:named:plans",
      "agent:main:named:http-once.x",
      "agent:main:user:dm:u:thread:http-once.y",
    ];
    const ids: string[] = [];
    for (const key of keys) {
      const { session } = await stores.sessions.open(request(key));
      await stores.entries.append(session.sessionId, [say(`words of ${key}`, "user")]);
      ids.push(session.sessionId);
    }
    const index = createPlainMemoryStore();
    const thread = index as unknown as MemoryThread;
    const work = createIndexWork({
      config,
      stores,
      homeRoot: "/",
      places: () => [],
      timezoneOf: () => "UTC",
    });
    await work.conversations(thread, {});
    for (const id of ids) await work.session(thread, id);
    expect((await index.sources()).map(({ id }) => id)).toEqual([`session:${ids[0]}`]);
  });
});
