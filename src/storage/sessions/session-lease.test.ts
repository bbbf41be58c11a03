import { createHandClock } from "@pincer/sdk/testing";
import { beforeEach, describe, expect, it } from "vitest";
import { createIds } from "../../infra/ids.ts";
import { createMemoryStores } from "../memory-stores.ts";
import { createSessionLeases, sessionLeaseName, type SessionLeases } from "./session-lease.ts";
import type { HeldLease, LeaseHolder, LeaseStore } from "../stores.ts";

const gate = () => {
  let open: () => void = () => {};
  const passed = new Promise<void>((resolve) => (open = resolve));
  return { open, passed };
};

async function settle() {
  for (let turn = 0; turn < 4; turn++) await new Promise((resolve) => setImmediate(resolve));
}

describe("session leases", () => {
  let clock: ReturnType<typeof createHandClock>;
  let leases: LeaseStore;
  let dead: Set<number>;
  let acquisitions: number;

  const processOf = (pid: number, random = () => 0.5): SessionLeases =>
    createSessionLeases({
      leases: {
        ...leases,
        acquire: (request) => {
          acquisitions++;
          return leases.acquire(request);
        },
      },
      clock,
      holder: { id: `h${pid}`, pid, host: "here", processStart: "1" },
      isAlive: (holder: LeaseHolder) => !dead.has(holder.pid),
      random,
    });

  beforeEach(() => {
    clock = createHandClock();
    ({ leases } = createMemoryStores({ clock, ids: createIds(() => clock.now()) }).tenant("acme"));
    dead = new Set();
    acquisitions = 0;
  });

  it("SESS-12 holds the lease during the work and releases it afterwards", async () => {
    const result = await processOf(1).hold("s", async (fence) => {
      expect(await leases.find("s")).toMatchObject({ holder: { pid: 1 }, fencing: fence.fencing });
      return "done";
    });
    expect(result).toBe("done");
    expect(await leases.find("s")).toBeUndefined();
    expect(clock.sleeping()).toBe(0);
  });

  it("SESS-12 releases also when the work throws", async () => {
    const failing = processOf(1).hold("s", async () => {
      throw new Error("broken");
    });
    await expect(failing).rejects.toThrow("broken");
    expect(await leases.find("s")).toBeUndefined();
  });

  it("SESS-12 lets the work's own outcome stand when the release fails", async () => {
    leases = { ...leases, release: () => Promise.reject(new Error("disk gone")) };
    expect(await processOf(1).hold("s", async () => "done")).toBe("done");
  });

  it("SESS-12 takes over at once what it could not give back itself", async () => {
    const release = leases.release;
    leases = { ...leases, release: () => Promise.reject(new Error("the disk is full")) };
    const own = processOf(1);
    await own.hold("s", async () => {});
    expect(await leases.find("s")).toMatchObject({ holder: { pid: 1 } });
    expect(await own.hold("s", async ({ fencing }) => fencing)).toBe(2);
    // Somebody else cannot know that, and waits.
    const other = processOf(2).hold("s", async () => "mine");
    await settle();
    expect(clock.sleeping()).toBe(1);
    const held = await leases.find("s");
    await release({ name: "s", fencing: held?.fencing ?? 0 });
    await clock.advance(1000);
    expect(await other).toBe("mine");
  });

  it("SESS-12 waits neither for what it has just given back nor for the writing of that", async () => {
    const release = leases.release;
    const written = gate();
    const wishes: unknown[] = [];
    leases = {
      ...leases,
      async release(fence, when) {
        wishes.push(when);
        await written.passed;
        await release(fence);
      },
    };
    const own = processOf(1);
    const givesBack = (outcome: string) => (outcome === "done" ? ("along" as const) : undefined);
    await own.hold("s", async () => "done", { givesBack });
    // As with a write that waits for the next one to come along with.
    expect(await leases.find("s")).toMatchObject({ fencing: 1 });
    expect(await own.hold("s", async ({ fencing }) => String(fencing), { givesBack: () => "along" })).toBe(
      "2",
    );
    written.open();
    await settle();
    expect(await leases.find("s")).toBeUndefined();
    expect(wishes).toEqual(["along", "along"]);
  });

  it("SESS-12 has given back when the work is done, unless its outcome says that there is time", async () => {
    const wishes: unknown[] = [];
    const release = leases.release;
    leases = {
      ...leases,
      release(fence, when) {
        wishes.push(when);
        return settle().then(() => release(fence));
      },
    };
    const own = processOf(1);
    const givesBack = (outcome: string) => (outcome === "done" ? ("along" as const) : undefined);
    await own.hold("s", async () => "waiting", { givesBack });
    expect(await leases.find("s")).toBeUndefined();
    const failing = own.hold("s", () => Promise.reject<string>(new Error("broken")), { givesBack });
    await expect(failing).rejects.toThrow("broken");
    expect(await leases.find("s")).toBeUndefined();
    expect(wishes).toEqual([undefined, undefined]);
  });

  it("SESS-12 takes what it gave back last without looking first, and looks at what others had", async () => {
    let looks = 0;
    const find = leases.find;
    leases = {
      ...leases,
      find(name) {
        looks++;
        return find(name);
      },
    };
    const own = processOf(1);
    await own.hold("s", async () => {});
    expect(looks).toBe(1);
    await settle();
    await own.hold("s", async () => {});
    expect(looks).toBe(1);
    // Others can have taken it meanwhile: it is found held, and waited for.
    const theirs = gate();
    const other = processOf(2).hold("s", () => theirs.passed);
    await settle();
    const waiting = own.hold("s", async () => "mine");
    await settle();
    expect(clock.sleeping()).toBe(2);
    theirs.open();
    await other;
    await clock.advance(1000);
    expect(await waiting).toBe("mine");
  });

  it("SESS-11 goes on under the same fence when the work asks again", async () => {
    const own = processOf(1);
    await own.hold("s", async (outer) => {
      await own.hold("s", async (inner) => expect(inner).toEqual(outer));
      expect(await leases.find("s")).toMatchObject({ fencing: outer.fencing });
    });
    expect(await leases.find("s")).toBeUndefined();
    expect(acquisitions).toBe(1);
  });

  it("SESS-12 releases when the last of nested works is done, and takes it anew after that", async () => {
    const own = processOf(1);
    const inner = gate();
    const later = gate();
    let nested: Promise<void> = Promise.resolve();
    let afterwards: Promise<number> = Promise.resolve(0);
    const fencing = await own.hold("s", async (fence) => {
      nested = own.hold("s", () => inner.passed);
      afterwards = later.passed.then(() => own.hold("s", async (late) => late.fencing));
      return fence.fencing;
    });
    expect(await leases.find("s")).toMatchObject({ fencing });
    inner.open();
    await nested;
    expect(await leases.find("s")).toBeUndefined();
    later.open();
    expect(await afterwards).toBe(fencing + 1);
  });

  it("SESS-20 keeps two unrelated works of one process apart", async () => {
    const own = processOf(1);
    let inside = 0;
    let most = 0;
    const work = async () => {
      most = Math.max(most, ++inside);
      await settle();
      inside--;
    };
    const all = Promise.all([own.hold("s", work), own.hold("s", work), own.hold("s", work)]);
    for (let turn = 0; turn < 100; turn++) await clock.advance(50);
    await all;
    expect(most).toBe(1);
  });

  it("SESS-11 replaces a holder that is dead at once", async () => {
    const abandoned = gate();
    const first = processOf(1).hold("s", () => abandoned.passed);
    await settle();
    dead.add(1);
    expect(await processOf(2).hold("s", async (fence) => fence.fencing)).toBe(2);
    abandoned.open();
    await first;
  });

  it("SESS-11 replaces a holder whose lease ran out, and renews the one of a long work", async () => {
    const foreign = { id: "f", pid: 9, host: "elsewhere", processStart: "1" };
    await leases.acquire({ name: "gone", holder: foreign, ttlMs: 30 * 60_000, isStale: () => false });
    const long = gate();
    const held = processOf(1).hold("s", () => long.passed);
    await settle();
    await clock.advance(2 * 60 * 60_000);
    expect(await processOf(2).hold("gone", async (fence) => fence.fencing)).toBe(2);
    const lease = await leases.find("s");
    expect(Date.parse(lease?.expiresAt ?? "")).toBeGreaterThan(clock.now());
    expect(lease?.fencing).toBe(1);
    long.open();
    await held;
  });

  it("SESS-12 releases only when a renewal that is under way is done, and renews nothing after that", async () => {
    const { renew } = leases;
    const slow = gate();
    const steps: string[] = [];
    leases = {
      ...leases,
      async renew(fence, ttlMs) {
        steps.push("renew");
        await slow.passed;
        return renew(fence, ttlMs);
      },
      release: async () => void steps.push("release"),
    };
    const work = gate();
    const held = processOf(1).hold("s", () => work.passed);
    await settle();
    await clock.advance(10 * 60_000);
    work.open();
    await settle();
    expect(steps).toEqual(["renew"]);
    slow.open();
    await held;
    expect(steps).toEqual(["renew", "release"]);
    expect(clock.sleeping()).toBe(0);
  });

  it("SESS-12 renews no more what was lost, or what the storage fails to renew", async () => {
    for (const renew of [async () => false, () => Promise.reject(new Error("the disk is gone"))]) {
      leases = { ...leases, renew };
      const work = gate();
      const held = processOf(1).hold("s", () => work.passed);
      await settle();
      expect(clock.sleeping()).toBe(1);
      await clock.advance(10 * 60_000);
      expect(clock.sleeping()).toBe(0);
      work.open();
      await held;
    }
  });

  it("SESS-11 gives up when one holder is in the way for ten seconds, and says who", async () => {
    const stuck = gate();
    const first = processOf(1).hold("session s_1", () => stuck.passed);
    await settle();
    const acquisitionsBefore = acquisitions;
    const waited: HeldLease[] = [];
    const second = processOf(2).hold("session s_1", async () => "never", {
      onWait: (lease) => waited.push(lease),
    });
    let outcome: unknown;
    const done = second.catch((error: unknown) => (outcome = error));
    await settle();
    await clock.advance(9_900);
    expect(outcome).toBeUndefined();
    await clock.advance(1_200);
    await done;
    expect(outcome).toMatchObject({ code: "session/busy", hint: expect.any(String) });
    expect(String(outcome)).toContain(
      "The session has been held by process 1 on here since 2026-01-01T12:00",
    );
    expect(waited).toHaveLength(1);
    expect(acquisitions).toBe(acquisitionsBefore);
    stuck.open();
    await first;
  });

  it("SESS-11 waits as long as it takes while the lease keeps changing hands", async () => {
    const blocker = { id: "b", pid: 3, host: "here", processStart: "1" };
    const take = () => leases.acquire({ name: "s", holder: blocker, ttlMs: 3_600_000, isStale: () => true });
    let fence = await take();
    const seen: number[] = [];
    const waiting = processOf(2).hold("s", async () => "at last", {
      onWait: (lease) => seen.push(lease.fencing),
    });
    await settle();
    for (let turn = 0; turn < 5; turn++) {
      await clock.advance(8_000);
      fence = await take();
    }
    await clock.advance(2_000);
    if (fence.type === "acquired") await leases.release(fence.fence);
    await clock.advance(1_000);
    expect(await waiting).toBe("at last");
    expect(seen).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it("SESS-11 pauses between 50 and 1000 ms between looks", async () => {
    const pauses: number[] = [];
    const realSleep = clock.sleep;
    clock.sleep = (ms, signal) => {
      if (ms <= 10_000) pauses.push(ms);
      return realSleep(ms, signal);
    };
    const stuck = gate();
    const first = processOf(1).hold("s", () => stuck.passed);
    await settle();
    const second = processOf(2, () => 0.999)
      .hold("s", async () => {})
      .catch(() => "gave up");
    await settle();
    await clock.advance(12_000);
    expect(await second).toBe("gave up");
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(50);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(1000);
    expect(Math.max(...pauses)).toBeGreaterThan(900);
    stuck.open();
    await first;
  });

  it("SESS-11 stops waiting when its signal aborts", async () => {
    const stuck = gate();
    const first = processOf(1).hold("s", () => stuck.passed);
    await settle();
    const abort = new AbortController();
    const second = processOf(2).hold("s", async () => "never", { signal: abort.signal });
    await settle();
    abort.abort(new Error("Ctrl-C"));
    await expect(second).rejects.toThrow("Ctrl-C");
    stuck.open();
    await first;
  });
});

describe("the name of a session's lease", () => {
  const workspaceId = "w_default";

  it("SESS-11 is one per key and space", () => {
    const names = [
      { workspaceId, sessionKey: "agent:main:main" },
      { workspaceId, sessionKey: "agent:main:named:a" },
      { workspaceId: "w_other", sessionKey: "agent:main:main" },
      { workspaceId: "w_defaulta", sessionKey: "gent:main:main" },
    ].map(sessionLeaseName);
    expect(new Set(names).size).toBe(4);
    expect(sessionLeaseName({ workspaceId, sessionKey: "agent:main:main" })).toBe(names[0]);
  });

  it("SESS-10 tells nobody who was talked to", () => {
    const name = sessionLeaseName({ workspaceId, sessionKey: "agent:main:telegram:dm:99887766" });
    expect(name).toMatch(/^session:[0-9a-f]{32}$/);
  });
});
