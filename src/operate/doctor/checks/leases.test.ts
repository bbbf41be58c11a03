import { createHandClock, type HandClock } from "@pincer/sdk/testing";
import { afterEach, beforeEach, expect, it } from "vitest";
import { sessionLeaseName } from "../../../storage/sessions/session-lease.ts";
import type { LeaseStore } from "../../../storage/stores.ts";
import { createTestHome, levelsOf, type TestHome } from "../testing/test-home.ts";
import { checkLeases } from "./leases.ts";

let home: TestHome;
let clock: HandClock;
let name: string;
let leases: LeaseStore;
const dead = { isAlive: () => false };
const alive = { isAlive: () => true };

beforeEach(async () => {
  clock = createHandClock();
  home = await createTestHome({ clock });
  name = sessionLeaseName(await home.talk("agent:main:main", "hello"));
  ({ leases } = (await home.examined.makeDatabase()).tenant);
  const holder = { id: "h", pid: 4242, host: "here", processStart: "then" };
  await leases.acquire({ name, holder, ttlMs: 60_000, isStale: () => false });
});
afterEach(() => home.remove());

it("leaves a lease of a living process alone", async () => {
  const check = checkLeases(home.examined, alive);
  expect(await levelsOf(check)).toEqual(["ok"]);
  expect(await check.fix?.()).toEqual([]);
  expect(await leases.find(name)).toBeDefined();
});

it("releases the lease of a process that is gone", async () => {
  const check = checkLeases(home.examined, dead);
  const [finding] = await check.check();
  expect(finding).toMatchObject({ level: "warning", message: expect.stringContaining("4242") });
  expect(await check.fix?.()).toEqual(["leases released: 1"]);
  expect(await leases.find(name)).toBeUndefined();
  expect(await levelsOf(check)).toEqual(["ok"]);
});

it("treats an expired lease as left behind, no matter who held it", async () => {
  await clock.advance(60_000);
  expect(await levelsOf(checkLeases(home.examined, alive))).toEqual(["warning"]);
});
