import { createHandClock } from "@pincer/sdk/testing";
import { expect, it } from "vitest";
import { defaultConfig } from "../../config/default-config.ts";
import { createIds } from "../../infra/ids.ts";
import { ownerCaller } from "../../policy/caller.ts";
import { createMemoryStores } from "../../storage/memory-stores.ts";
import { createAuditTrail } from "./audit-trail.ts";

const owner = ownerCaller("t", "socket");

function createStage() {
  const clock = createHandClock();
  const { audit } = createMemoryStores({ clock, ids: createIds(clock.now) }).tenant("t");
  const errors: unknown[] = [];
  const trail = createAuditTrail({ audit, clock, onError: (error) => errors.push(error) });
  const told = async () => (await audit.list({ limit: 5000 })).toReversed();
  return { clock, audit, trail, told, errors };
}

it("TEN-05 writes what was noted a moment later, together and in order", async () => {
  const { trail, told, clock } = createStage();
  trail.note({
    actor: "owner",
    action: "access.signed-in",
    resourceType: "access",
    resourceId: "x1",
    metadata: {},
  });
  trail.called({ caller: owner, method: "rules.add" });
  trail.called({ caller: owner, method: "auth.put", code: "auth/denied" });
  expect(await told()).toEqual([]);
  await clock.advance(200);
  expect(await told()).toMatchObject([
    { action: "access.signed-in", actor: "owner", resourceId: "x1" },
    { action: "call", resourceId: "rules.add", metadata: { role: "owner", way: "socket", ok: true } },
    { action: "call", resourceId: "auth.put", metadata: { ok: false, code: "auth/denied" } },
  ]);
});

it("TEN-05 leaves out what only reads, and what tells of itself", async () => {
  const { trail, told } = createStage();
  for (const method of ["sessions.list", "agent.run", "audit.export", "chat.send"] as const)
    trail.called({ caller: owner, method });
  await trail.settled();
  expect(await told()).toEqual([]);
});

it("TEN-05 names the keys of a config that changed, and nothing that stands there", async () => {
  const { trail, told } = createStage();
  const before = { ...defaultConfig, owners: ["telegram:1"] };
  const after = { ...before, owners: ["telegram:2"], audit: { keepDays: 7 } };
  trail.configChanged(before, after, "file");
  trail.configChanged(after, after, "file");
  await trail.settled();
  const [change, ...others] = await told();
  expect(others).toEqual([]);
  expect(change).toMatchObject({ actor: "file", metadata: { paths: ["audit.keepDays", "owners"] } });
  expect(JSON.stringify(change)).not.toContain("telegram");
});

it("TEN-05 counts those who knock all day, from one address and from very many", async () => {
  const { trail, told, clock } = createStage();
  const knock = (from: string) => trail.refused({ way: "token", from, reason: "wrong" });
  for (let index = 0; index < 500; index++) knock("10.0.0.1");
  await clock.advance(60_000);
  knock("10.0.0.1");
  await trail.settled();
  expect((await told()).map(({ metadata }) => metadata["times"] ?? 1)).toEqual([1, 499, 1]);
  for (let index = 0; index < 5000; index++) knock(`10.1.${index >> 8}.${index & 255}`);
  await trail.settled();
  expect((await told()).length).toBeLessThan(250);
});

it("keeps a bound on what waits, and says what was lost", async () => {
  const { trail, told } = createStage();
  for (let index = 0; index < 3000; index++) trail.called({ caller: owner, method: "rules.add" });
  await trail.settled();
  const records = await told();
  expect(records).toHaveLength(1001);
  expect(records.at(-1)).toMatchObject({ action: "audit-lost", metadata: { count: 2000 } });
});

it("tells of what could not be written, and goes on", async () => {
  const clock = createHandClock();
  const errors: unknown[] = [];
  const audit = {
    recordAll: async () => {
      throw new Error("full");
    },
  };
  const trail = createAuditTrail({ audit, clock, onError: (error) => errors.push(error) });
  trail.called({ caller: owner, method: "rules.add" });
  await clock.advance(200);
  await trail.settled();
  expect(errors).toHaveLength(1);
});

it("TEN-05 is settled when what was on its way is written, too", async () => {
  const clock = createHandClock();
  const written = Promise.withResolvers<never[]>();
  const audit = { recordAll: () => written.promise };
  const trail = createAuditTrail({ audit, clock, onError: () => {} });
  trail.called({ caller: owner, method: "rules.add" });
  await clock.advance(200);
  let isSettled = false;
  const settled = trail.settled().then(() => (isSettled = true));
  await new Promise((resolve) => setImmediate(resolve));
  expect(isSettled).toBe(false);
  written.resolve([]);
  await settled;
});
