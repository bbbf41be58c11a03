import type { EntryBody } from "@pincer/sdk";
import { createHandClock } from "@pincer/sdk/testing";
import { expect, it } from "vitest";
import { createIds } from "../infra/ids.ts";
import { createMemoryStores } from "../storage/memory-stores.ts";
import { createSessionLeases } from "../storage/sessions/session-lease.ts";
import { request, say } from "../storage/testing/samples.ts";
import { beginSession } from "./begin-session.ts";

function stage() {
  const clock = createHandClock();
  const stores = createMemoryStores({ clock, ids: createIds(clock.now) }).tenant("t_default");
  const holder = { id: "h", pid: 1, host: "here", processStart: "1" };
  const leases = createSessionLeases({ leases: stores.leases, clock, holder, isAlive: () => true });
  const mirrored: Array<[string, number]> = [];
  const openedHome = {
    stores,
    leases,
    mirror: async ({ sessionId, lastSeq }: { sessionId: string; lastSeq: number }) =>
      void mirrored.push([sessionId, lastSeq]),
  };
  const begin = (carry: "always" | "automatic" | "never") =>
    beginSession(openedHome, request("agent:main:main"), { carry });
  return { stores, begin, mirrored };
}
const isCarried = (entry: EntryBody) => entry.type === "event" && entry.name === "carried";

it("SESS-21 begins with what the last session came to where config wants it always, and with nothing else", async () => {
  for (const carry of ["always", "automatic", "never"] as const) {
    const { stores, begin } = stage();
    const { session } = await stores.sessions.open(request("agent:main:main"));
    await stores.entries.append(session.sessionId, [say("the heron sleeps")]);
    const { session: fresh, ended } = await begin(carry);
    expect(ended?.sessionId).toBe(session.sessionId);
    const entries = await stores.entries.recent(fresh.sessionId, 9);
    expect(entries.filter(isCarried)).toHaveLength(carry === "always" ? 1 : 0);
    expect(JSON.stringify(entries).includes("heron")).toBe(carry === "always");
  }
});

it("SESS-21 hands on what a session was given when nothing was said in it", async () => {
  const { stores, begin } = stage();
  const { session } = await stores.sessions.open(request("agent:main:main"));
  await stores.entries.append(session.sessionId, [say("the heron sleeps")]);
  await begin("always");
  await begin("always");
  const { session: last } = await begin("always");
  expect(JSON.stringify(await stores.entries.recent(last.sessionId, 9))).toContain("the heron sleeps");
});

it("writes copies of the session that ended and of all of the one that begins", async () => {
  const { stores, begin, mirrored } = stage();
  await stores.sessions.open(request("agent:main:main"));
  const { session, ended } = await begin("always");
  const now = await stores.sessions.get(session.sessionId);
  expect(mirrored).toEqual([
    [ended?.sessionId, ended?.lastSeq],
    [session.sessionId, now?.lastSeq],
  ]);
});
