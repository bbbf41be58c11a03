import { createHandClock } from "@pincer/sdk/testing";
import { createHmac } from "node:crypto";
import { expect, it } from "vitest";
import { readAccounts } from "../../channels/accounts.ts";
import { defaultConfig } from "../../config/default-config.ts";
import type { Config } from "../../config/schema.ts";
import type { HttpCall, HttpReply } from "../http/http-route.ts";
import { createIds } from "../../infra/ids.ts";
import type { InboxRow } from "../../storage/inbox/inbox.ts";
import { createMemoryStores } from "../../storage/memory-stores.ts";
import type { Foundation } from "../../storage/home/foundation.ts";
import { openHooks } from "./open-hooks.ts";

const secret = "what the caller signs with";

async function callHook(hook: object): Promise<InboxRow> {
  const clock = createHandClock();
  const stores = createMemoryStores({ clock, ids: createIds(() => clock.now()) }).tenant("t_default");
  const channels = {
    local: {
      enabled: true,
      dmPolicy: "pairing",
      allowFrom: [],
      accounts: { work: { enabled: true, groups: ["team"], groupPolicy: "allowlist" } },
    },
  } as unknown as Config["channels"];
  const config = {
    ...defaultConfig,
    channels,
    hooks: { build: { secret: "secret:BUILD", ...hook } },
  } as Config;
  const rows: InboxRow[] = [];
  const [route] = openHooks({
    openedHome: {
      stores,
      clock,
      tenantId: "t_default",
      workspaceId: "w_default",
      defaultAgentId: "main",
      foundation: { secrets: { resolve: async () => secret } } as unknown as Foundation,
    },
    config: () => config,
    accounts: () => readAccounts(channels),
    redactor: { text: (text) => text },
    tries: { look: () => ({ ok: true }), wrong: () => ({ ok: true }) },
    received: (row) => void rows.push(row),
    log: { warn: () => {} },
  });
  const body = Buffer.from("{}");
  const stamp = String(Math.floor(clock.now() / 1000));
  const signature = createHmac("sha256", secret).update(`${stamp}.{}`).digest("hex");
  const call = {
    parameters: { name: "build" },
    headers: {
      "content-type": "application/json",
      "x-pincer-timestamp": stamp,
      "x-pincer-signature": `sha256=${signature}`,
    },
    address: "192.0.2.1",
    body: async () => body,
  } as unknown as HttpCall;
  const handle = route?.handle as (call: HttpCall, reply: HttpReply) => Promise<void>;
  await handle(call, { json: () => {} } as unknown as HttpReply);
  const [row] = rows;
  if (!row) throw new Error("nothing was stored");
  return row;
}

const placeOf = (row: InboxRow): unknown => JSON.parse(row.message.threadId ?? "null");

it("PROTO-06 a hook writes to nobody unless the config names a place", async () => {
  expect(placeOf(await callHook({}))).toBeNull();
});

it("PROTO-06 the place of the config is found on the account that is in use, a group as a group", async () => {
  expect(placeOf(await callHook({ deliver: "local/work:team" }))).toEqual({
    channel: "local",
    accountId: "work",
    target: { peerKind: "group", peerId: "team" },
  });
  expect(placeOf(await callHook({ deliver: "pigeon:42" }))).toEqual({
    channel: "pigeon",
    accountId: "default",
    target: { peerKind: "user", peerId: "42" },
  });
});

it("one that wakes a session nobody has spoken in yet leaves its answer there", async () => {
  const row = await callHook({ action: "wake" });
  expect([row.message.peer.id, placeOf(row)]).toEqual(["agent:main:main", null]);
});
