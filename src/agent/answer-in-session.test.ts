import { textOf, type Message } from "@pincer/sdk";
import { createHandClock, createScriptedModel } from "@pincer/sdk/testing";
import { describe, expect, it } from "vitest";
import { createIds } from "../infra/ids.ts";
import { createRedactor } from "../infra/redactor.ts";
import { createMemoryStores } from "../storage/memory-stores.ts";
import { createProcessLiveness } from "../storage/process-liveness.ts";
import { createSessionLeases, sessionLeaseName } from "../storage/session-lease.ts";
import { answerInSession, type SessionAnswerRequest } from "./answer-in-session.ts";
import { redactMessage } from "./redact-message.ts";

const open = {
  sessionKey: "agent:main:main",
  workspaceId: "w",
  agentId: "main",
  origin: { channel: "cli" },
  cwd: "/",
};

function setUp() {
  const clock = createHandClock();
  const stores = createMemoryStores({ clock, ids: createIds(clock.now) }).tenant("t");
  const liveness = createProcessLiveness();
  const leases = createSessionLeases({
    leases: stores.leases,
    clock,
    holder: liveness.self("me"),
    isAlive: liveness.isAlive,
  });
  const mirrored: string[] = [];
  const redactor = createRedactor();
  const parts = {
    stores,
    leases,
    redactor,
    mirror: async ({ sessionId, lastSeq }: { sessionId: string; lastSeq: number }) =>
      void mirrored.push(`${sessionId}:${lastSeq}`),
  };
  const request = (change: Partial<SessionAnswerRequest> = {}): SessionAnswerRequest => ({
    open,
    fresh: false,
    memory: undefined,
    runId: "r_1",
    turn: {
      input: "hello",
      systemPrompt: "",
      maxSteps: 3,
      maxContextMessages: 50,
      signal: new AbortController().signal,
    },
    parts: {
      model: createScriptedModel([{ text: "hi" }]),
      tools: { descriptions: [], call: async () => ({ ok: true, content: [], usage: { durationMs: 0 } }) },
      texts: { stepLimit: String, modelFailed: (reason) => reason, aborted: () => "stopped" },
    },
    ...change,
  });
  const said = async (sessionId: string): Promise<Message[]> =>
    (await stores.entries.recent(sessionId, 100)).flatMap((entry) =>
      entry.type === "message" ? [entry.message] : [],
    );
  return { clock, stores, parts, request, mirrored, redactor, said };
}

describe("answering in a session", () => {
  it("stores the turn and brings the readable copy up to it", async () => {
    const { parts, request, mirrored, said } = setUp();
    const { session } = await answerInSession(parts, request());
    expect((await said(session.sessionId)).map(textOf)).toEqual(["hello", "hi"]);
    expect(mirrored).toEqual([`${session.sessionId}:3`]);
  });

  it("SESS-12 writes nothing more, not even the copy, once another has taken the session over", async () => {
    const { clock, stores, parts, request, mirrored, said } = setUp();
    const thief = { id: "thief", pid: 1, host: "elsewhere", processStart: "" };
    const stealing = {
      provider: "scripted",
      id: "thief",
      async *stream() {
        const name = sessionLeaseName(open);
        await stores.leases.acquire({ name, holder: thief, ttlMs: 60_000, isStale: () => true });
        await clock.advance(1);
        yield { type: "end" as const, message: await answerOf("too late") };
      },
    };
    let sessionId = "";
    const answering = answerInSession(
      parts,
      request({
        parts: { ...request().parts, model: stealing },
        onSession: (session) => (sessionId = session.sessionId),
      }),
    );
    await expect(answering).rejects.toMatchObject({ code: "session/lost-lease" });
    expect((await said(sessionId)).map(textOf)).toEqual(["hello"]);
    expect(mirrored).toEqual([]);
  });

  it("ends the old session and mirrors both when a new one is asked for", async () => {
    const { parts, request, mirrored } = setUp();
    const first = await answerInSession(parts, request());
    const second = await answerInSession(parts, request({ fresh: true, memory: true }));
    expect(second.session).toMatchObject({ memoryEnabled: true });
    expect(mirrored).toEqual([
      `${first.session.sessionId}:3`,
      `${first.session.sessionId}:4`,
      `${second.session.sessionId}:4`,
    ]);
  });

  it("stores no secret, and shows none to the model afterwards", async () => {
    const { parts, request, redactor, said } = setUp();
    redactor.add("key", "sk-12345678");
    const model = createScriptedModel([
      { calls: [{ name: "look", arguments: { at: "sk-12345678" } }] },
      { text: "it is sk-12345678" },
    ]);
    const base = request({ turn: { ...request().turn, input: "keep sk-12345678" } });
    const { session } = await answerInSession(parts, { ...base, parts: { ...base.parts, model } });
    expect(JSON.stringify(await said(session.sessionId))).not.toContain("sk-12345678");
    expect(JSON.stringify(model.requests)).not.toContain("sk-12345678");
  });

  it("leaves what a message is made of alone, even where a secret is an ordinary word", () => {
    const redactor = createRedactor();
    for (const word of ["assistant", "toolCall", "toolResult", "look_at"]) redactor.add("odd", word);
    const redacted = redactMessage(
      {
        role: "assistant",
        content: [{ type: "toolCall", id: "toolCall-1", name: "look_at", arguments: { a: "assistant" } }],
        provider: "p",
        model: "m",
        stopReason: "toolUse",
        usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0, cost: 0 },
      },
      redactor,
    );
    expect(redacted).toMatchObject({
      role: "assistant",
      content: [{ type: "toolCall", id: "toolCall-1", name: "look_at", arguments: { a: "[secret:odd]" } }],
    });
  });
});

async function answerOf(text: string) {
  const signal = new AbortController().signal;
  for await (const event of createScriptedModel([{ text }]).stream({
    systemPrompt: "",
    messages: [],
    tools: [],
    signal,
  })) {
    if (event.type === "end") return event.message;
  }
  throw new Error("no answer");
}
