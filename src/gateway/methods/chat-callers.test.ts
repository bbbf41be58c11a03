import { createHandClock } from "@pincer/sdk/testing";
import { expect, it } from "vitest";
import type { MethodCall } from "../method-calls.ts";
import { createIds } from "../../infra/ids.ts";
import type { Caller } from "../../policy/caller.ts";
import { routeMessage } from "../../routing/route-message.ts";
import { createAuditSeal } from "../../storage/audit/audit-seal.ts";
import { createMemoryStores } from "../../storage/memory-stores.ts";
import type { AskInput } from "../../routing/questions.ts";
import { createChatMethods } from "./chat-methods.ts";

const home = { tenantId: "t", workspaceId: "w", agentId: "main" };

function stage() {
  const clock = createHandClock();
  const ids = createIds(() => clock.now());
  const stores = createMemoryStores({ clock, ids, seal: createAuditSeal(Buffer.alloc(32, 7)) }).tenant("t");
  const asked: AskInput[] = [];
  const stopped: string[] = [];
  const methods = createChatMethods({
    engine: {
      route: (request) => routeMessage(request, { ...home, defaultAgentId: "main", agentIds: ["main"] }),
    },
    async ask(input) {
      asked.push(input);
      return { runId: "r1", turn: undefined, command: undefined, duplicate: false, joined: false };
    },
    lanes: {
      async stop(_workspaceId, sessionKey) {
        stopped.push(sessionKey);
        return { count: 1, turnId: undefined, outbox: [] };
      },
    },
    stores,
    media: {
      read: async () => new Uint8Array(),
      store: async () => ({ kind: "file", media: "m", mimeType: "text/plain" }),
    },
    home,
    wake: () => {},
  });
  const open = (sessionKey: string) =>
    stores.sessions.open({
      sessionKey,
      workspaceId: "w",
      agentId: "main",
      origin: { channel: "chat" },
      cwd: "/",
    });
  return { methods, asked, stopped, open };
}

const call = (id: string, role: Caller["role"] = "developer"): MethodCall => ({
  caller: { id, name: id, role, way: "token", tenantId: "t", scope: { type: "tenant" } },
  signal: new AbortController().signal,
  emit: () => {},
  connectionId: "c1",
});

it("TEN-02 everybody speaks, reads and stops in conversations of their own, whatever they name", async () => {
  const { methods, asked, stopped } = stage();
  for (const session of [undefined, "notes"]) {
    const named = session === undefined ? {} : { sessionKey: session };
    for (const id of ["token:a", "token:b"]) {
      await methods["chat.send"]({ ...named, text: "hello", idempotencyKey: "k" }, call(id));
      await methods["chat.abort"](named, call(id));
    }
  }
  const keys = asked.map(({ sessionKey }) => sessionKey);
  expect(new Set(keys).size).toBe(4);
  expect(stopped).toEqual(keys);
  expect(asked.map(({ person }) => person)).toMatchObject([
    { role: "peer", id: "chat:token:a" },
    { role: "peer", id: "chat:token:b" },
    { role: "peer", id: "chat:token:a" },
    { role: "peer", id: "chat:token:b" },
  ]);
  const { sessionKey } = await methods["chat.history"]({}, call("token:a"));
  expect(sessionKey).toBe(keys[0]);
});

it("TEN-02 refuses somebody else's conversation, by key and by id, to all but the owner", async () => {
  const { methods, asked, stopped, open } = stage();
  const { sessionKey } = await methods["chat.history"]({}, call("token:a"));
  const { session } = await open(sessionKey);
  const main = (await open("agent:main:main")).session;
  for (const named of [sessionKey, session.sessionId, "agent:main:main", main.sessionId]) {
    const tries = [
      () => methods["chat.history"]({ sessionKey: named }, call("token:b")),
      () =>
        methods["chat.send"](
          { sessionKey: named, text: "hello", idempotencyKey: "k" },
          call("token:b", "admin"),
        ),
      () => methods["chat.abort"]({ sessionKey: named }, call("token:b")),
    ];
    for (const attempt of tries)
      await expect(attempt()).rejects.toMatchObject({ code: "permission/missing" });
    expect(await methods["chat.history"]({ sessionKey: named }, call("owner", "owner"))).toMatchObject({
      sessionId: expect.any(String),
    });
  }
  expect(await methods["chat.history"]({ sessionKey: session.sessionId }, call("token:a"))).toMatchObject({
    sessionId: session.sessionId,
  });
  expect([asked, stopped]).toEqual([[], []]);
});
