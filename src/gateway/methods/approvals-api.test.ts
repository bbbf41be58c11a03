import type { ApprovalView, GrantView } from "@pincer/sdk";
import { describe, expect, it } from "vitest";
import type { ApprovalDraft } from "../../storage/approvals/approvals.ts";
import type { TenantStores } from "../../storage/storage.ts";
import type { Caller } from "../../policy/caller.ts";
import { waitingTurn } from "../../storage/testing/approval-samples.ts";
import { createRedactor } from "../../infra/redactor.ts";
import { viewApproval } from "../../gate/approvals/approval-view.ts";
import { createApprovalsApi } from "./approvals-api.ts";
import { createApiStage, ways } from "../../app/testing/api-stage.ts";

let calls = 0;
const draft = (given: Partial<ApprovalDraft> = {}): ApprovalDraft => ({
  turnId: "t_1",
  callId: `c_${++calls}`,
  workspaceId: "w1",
  sessionKey: "agent:main:main",
  agentId: "main",
  personId: "cli:owner",
  subject: {
    tool: "exec",
    call: { name: "exec", arguments: { command: "make deploy" } },
    shown: "make deploy",
    command: { directory: "/work", environment: {}, programs: ["/usr/bin/make"], wall: "none" },
    digest: "d",
  },
  reason: "It would run outside the sandbox.",
  rule: "tool exec",
  scopes: ["once", "shape"],
  keys: { shape: "make *" },
  expiresAt: "2026-12-31T00:00:00.000Z",
  ...given,
});

const audited = async (tenant: TenantStores, id: string) =>
  (await tenant.audit.list({ limit: 20, resourceId: id })).length;

it("TEN-02 somebody who was let in says yes to the owner's work, in their own name, and to nobody else's", async () => {
  const { apis, tenant } = await createApiStage("over the stores");
  const caller: Caller = {
    id: "token:1",
    name: "ann",
    role: "admin",
    way: "token",
    tenantId: "t_default",
    scope: { type: "tenant" },
  };
  const until = { signal: new AbortController().signal, caller };
  const guest = { role: "peer", id: "web:token:2" } as const;
  const { approval: guests } = await waitingTurn(tenant, "m1", { person: guest });
  await expect(apis.approvals.approve({ id: guests.id }, until)).rejects.toMatchObject({
    code: "permission/missing",
  });
  await expect(
    apis.approvals.approve({ id: (await tenant.approvals.ask(draft())).id }, until),
  ).rejects.toMatchObject({
    code: "permission/missing",
  });
  expect(await tenant.approvals.get(guests.id)).toMatchObject({ state: "pending" });
  expect(await apis.approvals.deny({ id: guests.id }, until)).toMatchObject({
    approval: { state: "denied", answeredBy: "web:token:1" },
  });
  const owner = { role: "owner", id: "cli:owner" } as const;
  const { approval: owners } = await waitingTurn(tenant, "m2", { person: owner });
  // More than this one call is the owner's to grant.
  await expect(apis.approvals.approve({ id: owners.id, scope: "shape" }, until)).rejects.toMatchObject({
    code: "permission/missing",
    text: { parameters: { scope: "shape" } },
  });
  expect(await tenant.approvals.get(owners.id)).toMatchObject({ state: "pending" });
  expect(await tenant.approvals.listGrants({ limit: 9 })).toEqual([]);
  expect(await apis.approvals.approve({ id: owners.id }, until)).toMatchObject({
    approval: { state: "approved", answeredBy: "web:token:1" },
  });
});

describe.each(ways)("the approvals API %s", (way) => {
  it("shows what waits, in full, and what else does", async () => {
    const { apis, tenant } = await createApiStage(way);
    expect(await apis.approvals.list({})).toEqual({ approvals: [], waiting: 0 });
    const cause = { argument: "command", value: "deploy", from: "web x.example", sentence: "Now deploy." };
    const one = await tenant.approvals.ask(draft({ cause }));
    const two = await tenant.approvals.ask(draft());
    const listed = await apis.approvals.list({ states: ["pending"] });
    expect(listed.waiting).toBe(2);
    expect(listed.approvals.map(({ id }) => id).sort()).toEqual([one.id, two.id].sort());
    const { approval, others } = await apis.approvals.get({ id: one.id });
    expect(approval).toMatchObject({
      id: one.id,
      state: "pending",
      tool: "exec",
      arguments: { command: "make deploy" },
      shown: "make deploy",
      command: { directory: "/work", environment: {}, programs: ["/usr/bin/make"], wall: "none" },
      cause,
      scopes: ["once", "shape"],
      keys: { shape: "make *" },
      answeredBy: null,
    } satisfies Partial<ApprovalView>);
    expect(others.map(({ id }) => id)).toEqual([two.id]);
  });

  it("SAFE-09 takes a yes and a no, each once, and both are in the audit", async () => {
    const { apis, tenant } = await createApiStage(way);
    const one = await tenant.approvals.ask(draft());
    const two = await tenant.approvals.ask(draft());
    const before = [await audited(tenant, one.id), await audited(tenant, two.id)];
    expect(await apis.approvals.approve({ id: one.id.toLowerCase() })).toMatchObject({
      approval: { state: "approved", scope: "once", answeredBy: "cli:owner" },
    });
    expect(await apis.approvals.deny({ id: two.id })).toMatchObject({
      approval: { state: "denied", answeredBy: "cli:owner" },
    });
    expect(await audited(tenant, one.id)).toBe((before[0] ?? 0) + 1);
    expect(await audited(tenant, two.id)).toBe((before[1] ?? 0) + 1);
    for (const { id } of [one, two])
      await expect(apis.approvals.approve({ id })).rejects.toMatchObject({ code: "approval/over" });
    expect((await apis.approvals.list({ states: ["denied"] })).approvals.map(({ id }) => id)).toEqual([
      two.id,
    ]);
  });

  it("takes the beginning of an id where only one that waits begins so", async () => {
    const { apis, tenant } = await createApiStage(way);
    const { id } = await tenant.approvals.ask(draft());
    expect((await apis.approvals.get({ id: id.slice(0, 3).toLowerCase() })).approval.id).toBe(id);
    await apis.approvals.deny({ id: id.slice(0, 3) });
    await expect(apis.approvals.get({ id: id.slice(0, 3) })).rejects.toMatchObject({
      code: "approval/not-found",
      hint: "No request waits for you.",
    });
  });

  it("names waiting requests to a caller who asks for something else", async () => {
    const { apis, tenant } = await createApiStage(way);
    const { id } = await tenant.approvals.ask(draft());
    await expect(apis.approvals.approve({ id: "nosuch" })).rejects.toMatchObject({
      code: "approval/not-found",
      hint: `Waiting: ${id} (exec).`,
    });
  });

  it("gives no more than was offered", async () => {
    const { apis, tenant } = await createApiStage(way);
    const { id } = await tenant.approvals.ask(draft());
    await expect(apis.approvals.approve({ id, scope: "recipient" })).rejects.toMatchObject({
      code: "usage/bad-argument",
      hint: "Possible scopes: once, shape.",
    });
    expect((await apis.approvals.get({ id })).approval.state).toBe("pending");
  });

  it("lists what a wider yes was good for, until it is taken back", async () => {
    const { apis, tenant } = await createApiStage(way);
    const { id } = await tenant.approvals.ask(draft());
    await apis.approvals.approve({ id, scope: "shape" });
    const { grants } = await apis.grants.list({});
    expect(grants).toMatchObject([
      { scope: "shape", tool: "exec", grantedBy: "cli:owner" } satisfies Partial<GrantView>,
    ]);
    const grant = grants[0]?.id ?? "";
    expect(await apis.grants.revoke({ id: grant })).toEqual({ revoked: grant });
    expect(await apis.grants.list({})).toEqual({ grants: [] });
    await expect(apis.grants.revoke({ id: grant })).rejects.toMatchObject({ code: "approval/not-found" });
  });

  it("dismisses the notice about a request that was answered", async () => {
    const { apis, tenant } = await createApiStage(way);
    const { id } = await tenant.approvals.ask(draft());
    const text = { key: "notice", parameters: {} };
    await tenant.notices.add({ kind: "approval", subject: `approval:${id}`, text } as never);
    await apis.approvals.deny({ id });
    expect(await tenant.notices.list({ limit: 5 })).toEqual([]);
  });

  it("CLI-28 lists the commands in the language of the caller", async () => {
    const { apis } = await createApiStage(way);
    const { commands } = await apis.commands.list({ language: "zh" });
    const approve = commands.find(({ name }) => name === "approve");
    expect(approve).toMatchObject({ ownerOnly: true, help: expect.stringMatching(/\p{Script=Han}/u) });
  });
});

describe("the approvals API", () => {
  it("never shows a secret, wherever in the request it stands", async () => {
    const { tenant } = await createApiStage("over the stores");
    const secret = "hunter2-hunter2";
    const { subject } = draft();
    const record = await tenant.approvals.ask(
      draft({
        subject: {
          ...subject,
          shown: `curl -H ${secret}`,
          call: { name: "exec", arguments: { command: `curl -H ${secret}`, [secret]: 1 } },
          command: { directory: "/", environment: { TOKEN: secret }, programs: [], wall: secret },
        },
        cause: { argument: "command", value: secret, from: "file x", sentence: `use ${secret}` },
        keys: { shape: `curl ${secret}` },
      }),
    );
    const redactor = createRedactor();
    redactor.add("token", secret);
    expect(JSON.stringify(viewApproval(record, redactor))).not.toContain(secret);
    const api = createApprovalsApi({
      approvals: tenant.approvals,
      turns: tenant.turns,
      answer: tenant.approvals.answer,
      redactor,
    });
    expect(JSON.stringify(await api.list({}))).not.toContain(secret);
    expect(JSON.stringify(await api.deny({ id: record.id }))).not.toContain(secret);
    // What is compared with what runs stays whole.
    expect((await tenant.approvals.get(record.id))?.subject.shown).toContain(secret);
  });

  it("says which of several is not clear", async () => {
    const open = ["AB2345", "AB6789"].map((id) => ({ ...draft(), id, state: "pending" as const }));
    const api = createApprovalsApi({
      approvals: { get: async () => undefined, list: async () => open as never },
      turns: { get: async () => undefined },
      answer: async () => ({ type: "none" }),
      redactor: createRedactor(),
    });
    await expect(api.approve({ id: "ab" })).rejects.toMatchObject({
      code: "usage/bad-argument",
      hint: "Waiting: AB2345 (exec), AB6789 (exec).",
    });
  });
});
