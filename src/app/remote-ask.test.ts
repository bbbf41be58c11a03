import { createHandClock } from "@pincer/sdk/testing";
import { describe, expect, it } from "vitest";
import type { GatewayClient } from "../client/gateway-client.ts";
import { failure } from "../infra/failure.ts";
import { createSay } from "../infra/texts.ts";
import type { AskRequest } from "./ask.ts";
import { createRemoteAsk } from "./remote-ask.ts";

const stopped = () => failure("gateway/stopped", "gateway.stopped");

/** A gateway whose answers the test writes. */
function fakeClient(answer: (method: string, params: unknown) => Promise<unknown>) {
  const asked: Array<[string, unknown]> = [];
  const client = {
    request: (method: string, params: unknown) => {
      asked.push([method, params]);
      return answer(method, params);
    },
    close: () => {},
    about: { language: "en" },
    closed: new Promise<void>(() => {}),
  } as unknown as GatewayClient;
  return { client, asked };
}

const settle = async () => {
  for (let count = 0; count < 5; count++) await new Promise((resolve) => setImmediate(resolve));
};

function setUp(
  client: GatewayClient,
  reconnect: () => Promise<GatewayClient | undefined> = async () => undefined,
) {
  const clock = createHandClock();
  const remote = createRemoteAsk({
    client,
    reconnect,
    say: createSay("en"),
    clock,
    cwd: "/home/ada",
    environment: {},
    configured: async (agentId) => (agentId === undefined ? "mine" : "other"),
  });
  const stop = new AbortController();
  const ask = (more: Partial<AskRequest> = {}) =>
    remote.ask({ input: "hi", wishes: {}, typed: true, signal: stop.signal, ...more });
  return { clock, stop, ask };
}

describe("asking a gateway", () => {
  it("asks once under one key, and waits for the run", async () => {
    const { client, asked } = fakeClient(async (method) =>
      method === "agent.run" ? { runId: "r1", duplicate: false } : { result: "hello" },
    );
    expect(await setUp(client).ask()).toEqual({ result: "hello" });
    expect(asked.map(([method]) => method)).toEqual(["agent.run", "agent.wait"]);
  });

  it("hands a dry run on", async () => {
    const { client, asked } = fakeClient(async (method) =>
      method === "agent.run" ? { runId: "r1", duplicate: false } : { result: "hello" },
    );
    await setUp(client).ask({ wishes: { dryRun: true } });
    expect(asked[0]).toMatchObject(["agent.run", { dryRun: true }]);
  });

  it("LOOP-05 asks it to go on with the last turn, with none of what a turn begins with", async () => {
    const { client, asked } = fakeClient(async (method) =>
      method === "agent.continue" ? { runId: "r1", duplicate: false } : { result: "hello" },
    );
    const wishes = { model: "m", memory: true, newSession: false, workdir: "/tmp", dryRun: true };
    const request = { continues: true, sessionKey: "one", wishes };
    expect(await setUp(client).ask(request)).toEqual({ result: "hello" });
    expect(asked).toMatchObject([
      ["agent.continue", {}],
      ["agent.wait", { runId: "r1" }],
    ]);
    expect(asked[0]?.[1]).toEqual({
      input: "hi",
      typed: true,
      sessionKey: "one",
      model: "m",
      idempotencyKey: expect.any(String),
    });
  });

  it("goes on waiting when the gateway restarts, however long the turn had run before", async () => {
    let lose: (error: Error) => void = () => {};
    const first = fakeClient(async (method) => {
      if (method === "agent.run") return { runId: "r1", duplicate: false };
      if (method === "approvals.list") return { approvals: [], waiting: 0 };
      return new Promise((_, reject) => (lose = reject));
    });
    const second = fakeClient(async () => ({ result: "after the restart" }));
    let tries = 0;
    const { clock, ask } = setUp(first.client, async () => (++tries < 5 ? undefined : second.client));
    const answering = ask();
    await settle();
    await clock.advance(10 * 60_000);
    lose(stopped());
    await settle();
    for (let count = 0; count < 5; count++) await clock.advance(200);
    expect(await answering).toEqual({ result: "after the restart" });
    expect(second.asked).toEqual([["agent.wait", { runId: "r1", stream: true }]]);
  });

  it("says that the gateway has gone when it does not come back", async () => {
    const { client } = fakeClient(async () => Promise.reject(stopped()));
    const { clock, ask } = setUp(client);
    const answering = ask();
    for (let count = 0; count < 80; count++) {
      await settle();
      await clock.advance(200);
    }
    expect(await answering).toMatchObject({ error: { code: "gateway/stopped" } });
  });

  it("says of a question that was taken that it is kept, and how to see its answer", async () => {
    const { client } = fakeClient((method) =>
      method === "agent.run" ? Promise.resolve({ runId: "r1", duplicate: false }) : Promise.reject(stopped()),
    );
    const { clock, ask } = setUp(client);
    const answering = ask();
    for (let count = 0; count < 80; count++) {
      await settle();
      await clock.advance(200);
    }
    const { result, error } = await answering;
    expect(error?.code).toBe("gateway/stopped");
    expect(result).toMatch(/is kept and is answered[^]*pincer runs show r1/);
    expect(result).not.toContain("then ask again");
  });

  it("names once the approval that the turn before it in its session waits for", async () => {
    const done = Promise.withResolvers<unknown>();
    const approvals = [{ id: "a1", tool: "exec", sessionKey: "one" }];
    const { client } = fakeClient(async (method) => {
      if (method === "agent.run") return { runId: "r1", duplicate: false };
      if (method === "approvals.list") return { approvals, waiting: 1 };
      if (method === "runs.events") return { run: { state: "queued", sessionKey: "one" } };
      return done.promise;
    });
    const { clock, ask } = setUp(client);
    const waits: string[] = [];
    const answering = ask({ onWait: (message) => void waits.push(message) });
    for (let count = 0; count < 5; count++) {
      await settle();
      await clock.advance(1000);
    }
    expect(waits).toEqual([expect.stringMatching(/approval of exec.*pincer approvals list/)]);
    done.resolve({ result: "hello" });
    expect(await answering).toEqual({ result: "hello" });
  });

  it("says nothing about the approvals of other sessions", async () => {
    const done = Promise.withResolvers<unknown>();
    const approvals = [{ id: "a1", tool: "exec", sessionKey: "another" }];
    const { client } = fakeClient(async (method) => {
      if (method === "agent.run") return { runId: "r1", duplicate: false };
      if (method === "approvals.list") return { approvals, waiting: 1 };
      if (method === "runs.events") return { run: { state: "queued", sessionKey: "one" } };
      return done.promise;
    });
    const { clock, ask } = setUp(client);
    const waits: string[] = [];
    const answering = ask({ onWait: (message) => void waits.push(message) });
    for (let count = 0; count < 5; count++) {
      await settle();
      await clock.advance(1000);
    }
    done.resolve({ result: "hello" });
    await answering;
    expect(waits).toEqual([]);
  });

  it("stops the run also when Ctrl-C came while the question was on its way", async () => {
    const { client, asked } = fakeClient(async (method) => {
      if (method === "agent.run") {
        stop.abort(new Error("interrupted"));
        return { runId: "r1", duplicate: false };
      }
      return { result: "Stopped.", error: { code: "turn/aborted" } };
    });
    const { stop, ask } = setUp(client);
    expect(await ask()).toMatchObject({ error: { code: "turn/aborted" } });
    expect(asked.map(([method]) => method)).toContain("agent.abort");
  });

  it("gives up waiting for the answer to a stop after a while", async () => {
    const { client } = fakeClient((method) =>
      method === "agent.run" ? Promise.resolve({ runId: "r1", duplicate: false }) : new Promise(() => {}),
    );
    const waiting = {
      ...client,
      request: (method: string, params: unknown, options?: { signal?: AbortSignal }) =>
        method === "agent.wait"
          ? new Promise((_, reject) =>
              options?.signal?.addEventListener("abort", () => reject(options.signal?.reason)),
            )
          : (client.request as (method: string, params: unknown) => Promise<unknown>)(method, params),
    } as unknown as GatewayClient;
    const { clock, stop, ask } = setUp(waiting);
    const answering = ask();
    await settle();
    stop.abort(new Error("interrupted"));
    await settle();
    await clock.advance(5000);
    expect(await answering).toMatchObject({ error: { code: "turn/aborted" } });
  });

  it("says what to do next when the gateway refuses, and whom it would have asked", async () => {
    const refusal = () =>
      failure("model/not-found", "models.unknown-model", { reference: "x" }, { hint: "models.unknown.hint" });
    const { client } = fakeClient(async () => Promise.reject(refusal()));
    const { ask } = setUp(client);
    const answer = await ask();
    expect(answer.result).toContain("pincer models list");
    expect(answer).toMatchObject({ route: "mine", provider: "mine", error: { code: "model/not-found" } });
    expect(await ask({ agentId: "a" })).toMatchObject({ provider: "other" });
    expect(await ask({ wishes: { model: "openai/gpt" } })).toMatchObject({ provider: "openai" });
    expect(await ask({ wishes: { provider: "groq", model: "openai/gpt" } })).toMatchObject({ route: "groq" });
  });
});
