/** Hooks over an inbox in memory, called as the server would call them. */
import { createHandClock } from "@pincer/sdk/testing";
import { createHmac } from "node:crypto";
import { asPincerError } from "@pincer/sdk";
import { createIds } from "../../../infra/ids.ts";
import type { InboxRow } from "../../../storage/inbox/inbox.ts";
import { createMemoryStores } from "../../../storage/memory-stores.ts";
import { HttpFailure, type HttpCall, type HttpReply } from "../../http/http-route.ts";
import { hookRoutes } from "../hook-routes.ts";
import type { Hook, HookParts } from "../receive-hook.ts";

export interface Answer {
  status: number;
  value: unknown;
}

export const secret = "a secret of sixteen and more";

export function createHookStage(hooks: Record<string, Partial<Hook>>, over: Partial<HookParts> = {}) {
  const clock = createHandClock();
  const stores = createMemoryStores({ clock, ids: createIds(() => clock.now()) }).tenant("t_default");
  const rows: InboxRow[] = [];
  const failed: string[] = [];
  const said: string[] = [];
  const configured = Object.fromEntries(
    Object.entries(hooks).map(([name, hook]) => [name, { secret: "secret:HOOK", ...hook }]),
  );
  const [route] = hookRoutes({
    hooks: () => configured,
    agentOf: (agentId = "main") => (agentId === "main" || agentId === "ops" ? agentId : undefined),
    resolveSecret: async (reference) => (reference === "secret:HOOK" ? secret : reference),
    tries: {
      look: () => ({ ok: true }),
      wrong(address) {
        failed.push(address);
        return { ok: true };
      },
    },
    inbox: stores.inbox,
    received: (row) => void rows.push(row),
    placeNamed: async (place) => {
      const [channel = "", peerId = ""] = place.split(":");
      return peerId ? { channel, accountId: "default", target: { peerKind: "user", peerId } } : null;
    },
    placeOf: async () => ({
      channel: "chat",
      accountId: "default",
      target: { peerKind: "user", peerId: "owner" },
    }),
    tenantId: "t_default",
    workspaceId: "w_default",
    redactor: { text: (text) => text.replaceAll(secret, "[secret:HOOK]") },
    clock,
    log: { warn: (message) => void said.push(message) },
    ...over,
  });

  /** Answered as the server would: a failure with its status, and any other error as a 500. */
  async function call(
    name: string,
    body: string | Uint8Array,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    if (!route) throw new Error("there is no route");
    const bytes = Buffer.from(body);
    const given: HttpCall = {
      method: "POST",
      path: `/hooks/${name}`,
      parameters: { name },
      query: new URLSearchParams(),
      headers,
      address: "192.0.2.7",
      signal: new AbortController().signal,
      body: async () => bytes,
      pieces: async function* () {
        yield bytes;
      },
      json: async () => JSON.parse(bytes.toString()),
    };
    let answer: Answer | undefined;
    const reply = {
      json: (status: number, value: unknown) => void (answer = { status, value }),
    } as unknown as HttpReply;
    try {
      await (route.handle as (call: HttpCall, reply: HttpReply) => Promise<void>)(given, reply);
    } catch (error) {
      if (error instanceof HttpFailure) return { status: error.status, value: error.message };
      return { status: 500, value: asPincerError(error) };
    }
    if (!answer) throw new Error("nothing was answered");
    return answer;
  }

  const seconds = () => String(Math.floor(clock.now() / 1000));
  const signed = (
    body: string | Uint8Array,
    { stamp = seconds(), key = secret, type = "application/json" } = {},
  ) => ({
    "content-type": type,
    "x-pincer-timestamp": stamp,
    "x-pincer-signature": `sha256=${createHmac("sha256", key).update(`${stamp}.`).update(Buffer.from(body)).digest("hex")}`,
  });
  const github = (body: string, key = secret) => ({
    "content-type": "application/json",
    "x-hub-signature-256": `sha256=${createHmac("sha256", key).update(body).digest("hex")}`,
  });
  return { clock, stores, rows, failed, said, call, signed, github, seconds };
}
