import { array, assert, asyncProperty, boolean, constantFrom, record } from "fast-check";
import { describe, expect, it } from "vitest";
import { defaultConfig } from "../../config/default-config.ts";
import type { Config } from "../../config/schema.ts";
import { ownerCaller, type Caller } from "../../policy/caller.ts";
import { createApiStage, ways } from "../../app/testing/api-stage.ts";

const channel = { enabled: true, dmPolicy: "pairing" as const, allowFrom: [] };
const config: Partial<Config> = {
  ...defaultConfig,
  channels: {
    telegram: { ...channel, allowFrom: ["7"] },
    pigeon: { ...channel, accounts: { one: {}, two: {} } },
    closed: { ...channel, enabled: false },
  } as Config["channels"],
  contacts: { Anna: ["telegram:7"] },
  owners: ["telegram:1"],
};

describe.each(ways)("the send API %s", (way) => {
  it("CLI-21 puts a message into the outbox once for one key, and tells of it again", async () => {
    const { apis, tenant } = await createApiStage(way, config);
    const sent = await apis.send.message({ to: "telegram:42", text: "hello", idempotencyKey: "k" });
    expect(sent).toMatchObject({ state: "queued", recipient: "telegram/default:42", duplicate: false });
    const again = await apis.send.message({ to: "telegram:42", text: "hello", idempotencyKey: "k" });
    expect(again).toEqual({ ...sent, duplicate: true });
    const rows = await tenant.outbox.list({ limit: 9 });
    expect(rows).toMatchObject([{ id: sent.id, text: "hello", kind: "message" }]);
    expect((await apis.outbox.get({ id: sent.id })).message.turnId).toBeNull();
    const [first = undefined] = rows;
    await tenant.outbox.beginSend(first?.id ?? "");
    await tenant.outbox.fail(first?.id ?? "", { code: "rejected", message: "no" }, { drafts: [] });
    const failed = await apis.send.message({ to: "telegram:42", text: "hello", idempotencyKey: "k" });
    expect(failed).toMatchObject({ id: sent.id, state: "failed" });
    const other = await apis.send.message({ to: "telegram:42", text: "hello", idempotencyKey: "k2" });
    expect(other.id).not.toBe(sent.id);
  });

  it("refuses another message under a key that was used", async () => {
    const { send } = (await createApiStage(way, config)).apis;
    await send.message({ to: "telegram:42", text: "hello", idempotencyKey: "k" });
    for (const asked of [
      { to: "telegram:42", text: "other" },
      { to: "telegram:43", text: "hello" },
      { to: "telegram:42", text: "hello", replyTo: "9" },
    ])
      await expect(send.message({ ...asked, idempotencyKey: "k" })).rejects.toMatchObject({
        code: "usage/key-used",
      });
  });

  it("makes one row of what is asked for twice at the same time", async () => {
    const { apis, tenant } = await createApiStage(way, config);
    const asked = { to: "telegram:42", text: "hello", idempotencyKey: "k" };
    const [one, two] = await Promise.all([apis.send.message(asked), apis.send.message(asked)]);
    expect(one.id).toBe(two.id);
    expect(await tenant.outbox.list({ limit: 9 })).toHaveLength(1);
  });

  it("reaches contacts, the owner and the account that is named", async () => {
    const { send } = (await createApiStage(way, config)).apis;
    const to = async (name: string, accountId?: string) =>
      (
        await send.message({
          to: name,
          text: "hello",
          idempotencyKey: name + accountId,
          ...(accountId && { accountId }),
        })
      ).recipient;
    expect(await to("anna")).toBe("telegram/default:7");
    expect(await to("owner")).toBe("telegram/default:1");
    expect(await to("pigeon/two:5")).toBe("pigeon/two:5");
    expect(await to("pigeon:5", "one")).toBe("pigeon/one:5");
  });

  it.each([
    ["a channel that is not there", { to: "fax:1" }, "usage/not-found"],
    ["a channel that is off", { to: "closed:1" }, "usage/not-found"],
    ["an id that two accounts have", { to: "pigeon:5" }, "usage/bad-argument"],
    ["a name that nobody gave", { to: "Bob" }, "usage/not-found"],
    ["a session that nobody knows", { to: "agent:main:nothing" }, "usage/not-found"],
    ["an account that the contact is not on", { to: "Anna", accountId: "two" }, "usage/bad-argument"],
    ["blanks", { to: "telegram:1", text: "  \n " }, "usage/empty-input"],
  ])("refuses %s, and stores nothing", async (_name, asked, code) => {
    const { apis, tenant } = await createApiStage(way, config);
    const message = { text: "hello", idempotencyKey: "k", ...asked };
    await expect(apis.send.message(message)).rejects.toMatchObject({ code });
    expect(await tenant.outbox.list({ limit: 9 })).toEqual([]);
  });
});

it("says how the owner becomes reachable where no place of theirs is known", async () => {
  const { send } = (await createApiStage("over the stores", {})).apis;
  await expect(send.message({ to: "owner", text: "hello", idempotencyKey: "k" })).rejects.toMatchObject({
    code: "usage/not-found",
    hint: expect.stringContaining("pincer owner claim"),
  });
});

it("law: as many rows as keys, whatever is asked for how often and how close together", async () => {
  const request = record({ key: constantFrom("a", "b", "c"), together: boolean() });
  await assert(
    asyncProperty(array(request, { minLength: 1, maxLength: 12 }), async (requests) => {
      const { apis, tenant } = await createApiStage("over the stores", config);
      const running: Array<Promise<unknown>> = [];
      for (const { key, together } of requests) {
        const sent = apis.send.message({ to: `telegram:${key}`, text: "hello", idempotencyKey: key });
        if (together) running.push(sent);
        else await sent;
      }
      await Promise.all(running);
      const rows = await tenant.outbox.list({ limit: 99 });
      expect(rows).toHaveLength(new Set(requests.map(({ key }) => key)).size);
    }),
    { numRuns: 25 },
  );
});

it("keeps the keys of different people apart", async () => {
  const { apis } = await createApiStage("over the stores", config);
  const { signal } = new AbortController();
  const admin: Caller = { ...ownerCaller("t", "token"), id: "token:7", role: "admin" };
  const asked = { to: "telegram:42", text: "hello", idempotencyKey: "k" };
  const theirs = await apis.send.message(asked, { signal, caller: admin });
  const ours = await apis.send.message(asked, { signal, caller: ownerCaller("t", "socket") });
  expect(ours).toMatchObject({ duplicate: false });
  expect(ours.id).not.toBe(theirs.id);
});
