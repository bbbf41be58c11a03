import { PincerError } from "@pincer/sdk";
import { createHandClock } from "@pincer/sdk/testing";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { createDoorStage, createTestDevice, here } from "../doors/testing/door-stage.ts";
import { defaultConfig } from "../../config/default-config.ts";
import { createIds } from "../../infra/ids.ts";
import type { Caller, CallerScope } from "../../policy/caller.ts";
import { givableRoles, isScopeWithin, mayGive, type GivableRole } from "../../policy/may-give.ts";
import { createMemoryStores } from "../../storage/memory-stores.ts";
import { createAccessApi } from "./access-api.ts";

const tenant: CallerScope = { type: "tenant" };
const signal = new AbortController().signal;
const callerWith = (role: Caller["role"], scope: CallerScope = tenant, id = `token:${role}`): Caller => ({
  id,
  name: role,
  role,
  way: "token",
  tenantId: "acme",
  scope,
});
const usualConfig = () => ({ gateway: defaultConfig.gateway });
const notices = { dismiss: async () => false };
const by = (caller: Caller) => ({ signal, caller });
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    (error: unknown) => (error instanceof PincerError ? error.code : String(error)),
  );

function openApi() {
  const stage = createDoorStage();
  const dismissed: string[] = [];
  const api = createAccessApi({
    access: stage.access,
    clock: stage.clock,
    tenantId: "acme",
    notices: { dismiss: async (subject) => dismissed.push(subject) > 0 },
    config: stage.config,
    spaces: ["w1"],
    agents: () => ["main", "work"],
    signIn: { ...stage.doors, pageAddress: () => "http://localhost:18650" },
  });
  return { ...stage, api, dismissed };
}

it("TEN-02 makes a token that is shown once and kept only as a digest", async () => {
  const { api, doors, access, clock } = openApi();
  const scope = { type: "agent" as const, agentIds: ["work"] };
  const made = await api.createToken({ name: "ci", role: "developer", scope, days: 2 });
  expect(made.token).toMatch(/^pin_[\w-]{43}$/);
  expect(made.access).toMatchObject({ role: "developer", scope, expiresAt: "2026-01-03T12:00:00.000Z" });
  expect(await doors.admit({ bearer: made.token }, here)).toMatchObject({ caller: { name: "ci", scope } });
  const told = JSON.stringify([await api.list({ all: true }), await access.list({ all: true })]);
  expect(told).not.toContain(made.token.slice(4));
  await clock.advance(2 * 24 * 3_600_000);
  expect((await doors.admit({ bearer: made.token }, here)).type).toBe("refused");
});

it("TEN-02 makes no access for an agent that is not there, and names the nearest one", async () => {
  const { api, access } = openApi();
  const tokenFor = (...agentIds: string[]) =>
    api.createToken({ name: "ci", role: "viewer", scope: { type: "agent", agentIds } });
  await expect(tokenFor("work", "mian")).rejects.toMatchObject({
    code: "usage/not-found",
    message: expect.stringContaining("mian"),
    hint: expect.stringContaining("main"),
  });
  await expect(tokenFor("somebody-else")).rejects.toMatchObject({
    hint: expect.stringContaining("main, work"),
  });
  expect(await access.list({ all: true })).toEqual([]);
});

it("TEN-02 lets nobody into a space that is not there", async () => {
  const { api } = openApi();
  const scope = { type: "workspace" as const, workspaceIds: ["w1", "nosuch"] };
  await expect(api.createToken({ name: "ci", role: "viewer", scope })).rejects.toMatchObject({
    code: "usage/not-found",
    message: "There is no space nosuch.",
    hint: "There are: w1.",
  });
  expect(await codeOf(api.createCode({ role: "viewer", scope }))).toBe("usage/not-found");
  expect((await api.list({ all: true })).access).toEqual([]);
  const there = { type: "workspace" as const, workspaceIds: ["w1"] };
  expect((await api.createToken({ name: "ci", role: "viewer", scope: there })).access).toMatchObject({
    scope: there,
  });
});

it("a link carries its code behind the #, and signs a browser in as the caller who asked for it", async () => {
  const { api, doors } = openApi();
  const made = await api.createCode({}, by(callerWith("owner")));
  expect(made.link).toBe(`http://localhost:18650/#code=${made.code}`);
  expect(made).toMatchObject({ role: "owner", expiresAt: "2026-01-01T12:05:00.000Z" });
  const lesser = await api.createCode({ role: "viewer" });
  expect(lesser.link).toBe(`http://localhost:18650/#code=${lesser.code}&role=viewer`);
  const outcome = await doors.signIn({ code: lesser.code }, { ...here, name: "" });
  expect(outcome).toMatchObject({ access: { role: "viewer" } });
});

it("a link needs a gateway that serves its page", async () => {
  const { access, clock, doors } = openApi();
  const home = createAccessApi({ access, clock, tenantId: "acme", notices, config: usualConfig, spaces: [] });
  expect(await codeOf(home.createCode({}))).toBe("gateway/unreachable");
  const signIn = { ...doors, pageAddress: () => undefined };
  const dark = createAccessApi({
    access,
    clock,
    tenantId: "acme",
    notices,
    config: usualConfig,
    spaces: [],
    signIn,
  });
  expect(await codeOf(dark.createCode({}))).toBe("gateway/unreachable");
});

it("lists, lets in and sends away devices that wait, by the code that they show", async () => {
  const { api, access, clock, dismissed } = openApi();
  const device = (publicKey: string) => ({ publicKey, name: "phone", wants: "owner", address: "10.0.0.9" });
  await access.askForDevice(device("first-public-key"), () => "ABCD2345");
  await clock.advance(1);
  await access.askForDevice(device("second-public-key"), () => "EFGH2345");
  const { waiting } = await api.list({});
  expect(waiting.map(({ code, wants }) => [code, wants])).toEqual([
    ["ABCD-2345", "owner"],
    ["EFGH-2345", "owner"],
  ]);
  expect(JSON.stringify(waiting)).not.toContain("public-key");
  const approved = await api.approve({ id: "abcd-2345", role: "viewer", name: "Ada's phone" });
  expect(approved.access).toMatchObject({
    kind: "device",
    role: "viewer",
    name: "Ada's phone",
    createdBy: "owner",
  });
  expect(await api.deny({ id: waiting[1]?.id ?? "" })).toEqual({ denied: waiting[1]?.id });
  expect(await codeOf(api.approve({ id: "ABCD2345", role: "viewer" }))).toBe("usage/not-found");
  expect(await codeOf(api.deny({ id: "nobody" }))).toBe("usage/not-found");
  expect((await api.list({})).waiting).toEqual([]);
  // What the owner was told about them is settled with them.
  expect(dismissed).toEqual(waiting.map(({ id }) => `device:${id}`));
});

it("takes back what is there, once, and says when it is not", async () => {
  const { api } = openApi();
  const { access } = await api.createToken({ name: "ci", role: "viewer" });
  expect((await api.revoke({ id: access.id })).revoked).toMatchObject([{ id: access.id }]);
  expect(await codeOf(api.revoke({ id: access.id }))).toBe("message/over");
  expect(await codeOf(api.revoke({ id: "x_nothing" }))).toBe("usage/not-found");
});

it("TEN-02 nobody gives, approves or takes back more than they have", async () => {
  const { api, access } = openApi();
  const admin = by(callerWith("admin"));
  const confined = by(callerWith("admin", { type: "agent", agentIds: ["work"] }));
  const owned = await api.createToken({ name: "mine", role: "owner" });
  await access.askForDevice(
    { publicKey: "k1", name: "phone", wants: "owner", address: "" },
    () => "ABCD2345",
  );
  const denied = "permission/missing";
  expect(await codeOf(api.createToken({ name: "x", role: "owner" }, admin))).toBe(denied);
  expect(await codeOf(api.createCode({ role: "owner" }, admin))).toBe(denied);
  expect(await codeOf(api.approve({ id: "ABCD2345", role: "owner" }, admin))).toBe(denied);
  expect(await codeOf(api.revoke({ id: owned.access.id }, admin))).toBe(denied);
  expect(await codeOf(api.createToken({ name: "x", role: "viewer", scope: tenant }, confined))).toBe(denied);
  expect(await codeOf(api.createCode({ scope: tenant }, confined))).toBe(denied);
  const scope = { type: "agent" as const, agentIds: ["work", "home"] };
  expect(await codeOf(api.createToken({ name: "x", role: "viewer", scope }, confined))).toBe(denied);
  const narrow = await api.createToken({ name: "x", role: "viewer" }, confined);
  expect(narrow.access.scope).toEqual({ type: "agent", agentIds: ["work"] });
  expect(await access.listPending()).toHaveLength(1);
});

it("TEN-02 nobody gives away more time than they have", async () => {
  const { api, clock, doors } = openApi();
  const short = await api.createToken({ name: "short", role: "admin", days: 1 });
  const admission = await doors.admit({ bearer: short.token }, here);
  if (admission.type !== "admitted") throw new Error(admission.type);
  const asker = by(admission.caller);
  const made = await api.createToken({ name: "long", role: "viewer" }, asker);
  expect(made.access.expiresAt).toBe(short.access.expiresAt);
  const longer = await api.createToken({ name: "longer", role: "viewer", days: 9 }, asker);
  expect(longer.access.expiresAt).toBe(short.access.expiresAt);
  const { code } = await api.createCode({}, asker);
  const outcome = await doors.signIn({ code }, { ...here, name: "" });
  const cookie = outcome.type === "signed-in" ? outcome.cookie : "";
  expect((await doors.admit({ cookie }, here)).type).toBe("admitted");
  await clock.advance(24 * 3_600_000);
  expect((await doors.admit({ cookie }, here)).type).toBe("refused");
});

it("TEN-02 nobody takes back what is above them by being called like it", async () => {
  const { api } = openApi();
  const { access } = await api.createToken({ name: "home", role: "owner" });
  const named = by(callerWith("admin", tenant, `user:x:${access.id}`));
  expect(await codeOf(api.revoke({ id: access.id }, named))).toBe("permission/missing");
});

it("everybody may give up what is their own", async () => {
  const { api, access } = openApi();
  const { access: made } = await api.createToken({ name: "x", role: "admin" });
  await api.revoke({ id: made.id }, by(callerWith("viewer", tenant, `token:${made.id}`)));
  expect(await access.list()).toEqual([]);
});

it("TEN-02 no sequence of requests lets anybody do or reach more than the one it began with", async () => {
  const scopes = fc.option(
    fc.oneof(
      fc.constant(tenant),
      fc.uniqueArray(fc.constantFrom("work", "home"), { minLength: 1 }).map((agentIds) => ({
        type: "agent" as const,
        agentIds,
      })),
    ),
    { nil: undefined },
  );
  const step = fc.record({
    who: fc.nat(20),
    what: fc.constantFrom("token", "code", "device"),
    role: fc.constantFrom(...givableRoles),
    scope: scopes,
  });
  const first = fc.record({
    role: fc.constantFrom(...givableRoles),
    scope: scopes.map((scope) => scope ?? tenant),
  });
  await fc.assert(
    fc.asyncProperty(first, fc.array(step, { maxLength: 12 }), async (root, steps) => {
      const clock = createHandClock();
      const { access } = createMemoryStores({ clock, ids: createIds(clock.now) }).tenant("acme");
      const granted: Array<{ role: GivableRole; scope: CallerScope; by: Caller }> = [];
      const makeCode = async (grant: (typeof granted)[number]) => {
        granted.push(grant);
        return { code: "c", expiresAt: "" };
      };
      const signIn = { makeCode, bindingOf: async () => null, pageAddress: () => "" };
      const api = createAccessApi({
        access,
        clock,
        tenantId: "acme",
        notices,
        config: usualConfig,
        spaces: [],
        signIn,
      });
      const callers = [callerWith(root.role, root.scope, "token:root")];
      for (const [number, { who, what, role, scope }] of steps.entries()) {
        const caller = callers[who % callers.length];
        if (!caller) continue;
        const asked = { role, ...(scope ? { scope } : {}) };
        if (what === "device") {
          const device = { publicKey: `k${number}`, name: "d", wants: "owner", address: "" };
          await access.askForDevice(device, () => `CODE${number}`);
        }
        const work = {
          token: () => api.createToken({ name: "t", ...asked }, by(caller)),
          code: () => api.createCode(asked, by(caller)),
          device: () => api.approve({ id: `CODE${number}`, ...asked }, by(caller)),
        }[what]();
        await codeOf(work);
        const reached = [...(await access.list()), ...granted];
        for (const each of reached) {
          const given = { role: each.role as GivableRole, scope: each.scope };
          expect(mayGive(root, given) && isScopeWithin(given.scope, root.scope)).toBe(true);
          callers.push(callerWith(given.role, given.scope, `token:${callers.length}`));
        }
      }
    }),
    { numRuns: 50 },
  );
});

it("UI-01 signs out every other browser, with all access granted through them, and keeps the caller's own", async () => {
  const { api, doors, signIn, access, otherAccess } = openApi();
  const admitted = async (cookie: string) => {
    const admission = await doors.admit({ cookie }, here);
    return admission.type === "admitted" ? admission.caller : undefined;
  };
  const first = await signIn();
  const maker = await admitted(first);
  if (!maker) throw new Error("nobody came in");
  const { token } = await api.createToken({ name: "of the first", role: "viewer" }, by(maker));
  const { token: kept } = await api.createToken({ name: "of the owner", role: "viewer" });
  const mine = await signIn(maker);
  const me = await admitted(mine);
  if (!me) throw new Error("nobody came in");
  const { revoked } = await api.revokeOthers({}, by(me));
  expect(revoked.map(({ name }) => name).sort()).toEqual(["Firefox", "of the first"]);
  expect(await admitted(first)).toBeUndefined();
  expect(await admitted(mine)).toMatchObject({ id: me.id });
  expect((await doors.admit({ bearer: token }, here)).type).toBe("refused");
  expect((await doors.admit({ bearer: kept }, here)).type).toBe("admitted");
  expect(await otherAccess.list()).toEqual([]);
  expect((await access.list()).map(({ kind }) => kind).sort()).toEqual(["browser", "token"]);
});

it("SEC-02 a browser that was let in by its key is out with it, and one that asks keeps its own", async () => {
  const { api, doors, signIn, access } = openApi();
  const first = await doors.admit({ cookie: await signIn() }, here);
  if (first.type !== "admitted") throw new Error(first.type);
  const origin = "https://desk.example";
  const knocks = async (device: ReturnType<typeof createTestDevice>) => {
    const asked = await doors.askForKey(origin);
    const proof = { ...device.prove(asked), challenge: asked.challenge };
    return doors.signIn({ device: proof }, { ...here, name: "Safari", origin });
  };
  const letIn = async (device: ReturnType<typeof createTestDevice>) => {
    await knocks(device);
    const [asked] = await access.listPending();
    await api.approve({ id: asked?.id ?? "", role: "owner" }, by(first.caller));
    const outcome = await knocks(device);
    return outcome.type === "signed-in" ? outcome.cookie : "";
  };
  const lost = createTestDevice();
  const theirs = await letIn(lost);
  const mine = await letIn(createTestDevice());
  const me = await doors.admit({ cookie: mine }, here);
  if (me.type !== "admitted") throw new Error(me.type);
  await api.revokeOthers({}, by(me.caller));
  expect((await doors.admit({ cookie: theirs }, here)).type).toBe("refused");
  expect((await knocks(lost)).type).toBe("pending");
  expect((await doors.admit({ cookie: mine }, here)).type).toBe("admitted");
});

it("TEN-02 puts out no browser of somebody who may do more", async () => {
  const { api, signIn, access } = openApi();
  await signIn();
  expect(await api.revokeOthers({}, by(callerWith("admin")))).toEqual({ revoked: [] });
  expect(await access.list()).toHaveLength(1);
});

it("SEC-02 somebody of an identity provider lets in for a bounded time, bound to that provider, under their name", async () => {
  const { api, access, set, clock } = openApi();
  set({ jwt: { issuer: "https://id.example.com/", audience: "pincer", accessDays: 7 } });
  const ada: Caller = { ...callerWith("admin", tenant, "user:ada"), way: "jwt" };
  const end = "2026-01-08T12:00:00.000Z";
  const made = await api.createToken({ name: "ci", role: "viewer", days: 90 }, by(ada));
  expect(made.access).toMatchObject({ createdBy: "user:ada", expiresAt: end });
  const shorter = await api.createToken({ name: "ci", role: "viewer", days: 2 }, by(ada));
  expect(shorter.access).toMatchObject({ expiresAt: "2026-01-03T12:00:00.000Z" });
  const device = { publicKey: "k1", name: "phone", wants: "owner", address: "" };
  await access.askForDevice(device, () => "ABCD2345");
  const approved = await api.approve({ id: "ABCD2345", role: "viewer" }, by(ada));
  expect(approved.access).toMatchObject({ expiresAt: end });
  const marks = (await access.list()).map(({ boundTo }) => boundTo);
  expect(new Set(marks).size).toBe(1);
  expect(marks[0]).toMatch(/^jwt:/);
  // What comes of it has the same end, whenever it is made.
  await clock.advance(24 * 3_600_000);
  const again = await api.createToken(
    { name: "of it", role: "viewer" },
    by(callerWith("admin", tenant, `token:${made.access.id}`)),
  );
  expect(again.access).toMatchObject({ expiresAt: end });
});

it("SEC-02 what is let in by the token of the home hangs on that token, and what is let in at the home on none", async () => {
  const { api, doors, access, home } = openApi();
  const byToken = await doors.admit({ bearer: home.token }, here);
  if (byToken.type !== "admitted") throw new Error(byToken.type);
  const leaked = await api.createToken({ name: "theirs", role: "owner" }, by(byToken.caller));
  await access.askForDevice(
    { publicKey: "k1", name: "phone", wants: "owner", address: "" },
    () => "ABCD2345",
  );
  await api.approve({ id: "ABCD2345", role: "owner" }, by(byToken.caller));
  const mine = await api.createToken({ name: "ci", role: "developer" });
  const marks = (await access.list()).map(({ name, boundTo }) => [name, boundTo?.split(":")[0] ?? null]);
  expect(new Map(marks as Array<[string, string | null]>)).toEqual(
    new Map([
      ["theirs", "token"],
      ["phone", "token"],
      ["ci", null],
    ]),
  );
  const enter = async ({ token }: { token: string }) => (await doors.admit({ bearer: token }, here)).type;
  expect([await enter(leaked), await enter(mine)]).toEqual(["admitted", "admitted"]);
  home.token = "n".repeat(43);
  expect([await enter(leaked), await enter(mine)]).toEqual(["refused", "admitted"]);
});
