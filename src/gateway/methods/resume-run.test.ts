/** The client of the sdk, over real WebSockets that break, follows a run by what the gateway stores and says. */
import type { Entry } from "@pincer/sdk";
import { createGatewayLink, type GatewayLink } from "@pincer/sdk/client";
import * as fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { WebSocket } from "ws";
import type { TurnEvent } from "../../agent/turn-voice.ts";
import { startTestServer, tokenOf, type TestServer } from "../testing/test-server.ts";
import { systemClock } from "../../infra/clock.ts";
import type { TurnRecord } from "../../storage/turns/turns.ts";
import { createRunEvents } from "../../agent/turns/run-events.ts";
import { createRunFollower, describeEvent } from "./follow-run.ts";

/** A word is said; what was said is stored as a step; what was said is not meant any more; the connection breaks. */
type Move = { type: "say"; text: string } | { type: "store" } | { type: "start-over" } | { type: "cut" };

/** Comes back at once: what is tested is not how long it waits. */
const hastyClock = {
  sleep: (ms: number, signal?: AbortSignal) =>
    ms > 1000 ? systemClock.sleep(ms, signal) : Promise.resolve(),
};

function createRun() {
  const events = createRunEvents();
  const entries: Entry[] = [];
  let turn = { turnId: "r", state: "running", sessionId: "s", firstSeq: 1 } as TurnRecord;
  const follow = createRunFollower({
    engine: { events, approvals: { openOf: async () => [] } } as never,
    turns: { get: async () => turn },
    entries: { after: async (_id, after, limit) => entries.filter(({ seq }) => seq > after).slice(0, limit) },
    clock: systemClock,
    stopping: new AbortController().signal,
  });
  let growing = "";
  const tell = (event: object) => events.watch.event(turn, event as TurnEvent);
  return {
    follow,
    entries,
    growing: () => growing,
    say(text: string) {
      growing += text;
      tell({ type: "text-delta", text });
    },
    store() {
      entries.push({ seq: entries.length + 1, runId: "r", text: growing } as unknown as Entry);
      growing = "";
      tell({ type: "tool-call-start", call: {} });
    },
    startOver() {
      growing = "";
      tell({ type: "start-over", reason: "retry" });
    },
    end() {
      turn = { ...turn, state: "done" };
      events.watch.ended(turn, []);
    },
  };
}

function connect(server: TestServer): { link: GatewayLink; cut(): void } {
  const sockets: WebSocket[] = [];
  const link = createGatewayLink({
    url: `ws://127.0.0.1:${server.port}/ws`,
    WebSocket: class extends WebSocket {
      constructor(url: string) {
        super(url);
        sockets.push(this);
      }
    },
    client: { name: "test", version: "0" },
    auth: async () => ({ token: tokenOf("owner") }),
    clock: hastyClock,
  });
  onTestFinished(() => link.close());
  return { link, cut: () => sockets.at(-1)?.terminate() };
}

const yieldLoop = () => new Promise((resolve) => setImmediate(resolve));

async function serve(run: ReturnType<typeof createRun>): Promise<TestServer> {
  return startTestServer({
    methods: {
      async "agent.wait"({ runId, after }, { signal, emit }) {
        await run.follow(runId, {
          signal,
          check: () => {},
          after,
          tell(event) {
            const told = describeEvent(event);
            if (told) emit(told.event, { runId, ...told.payload });
          },
          step: (entry) => emit("agent.step", { runId, seq: entry.seq, entry }),
          snapshot: (saying) => emit("agent.snapshot", { runId, ...saying }),
        });
        return { runId } as never;
      },
    },
  });
}

/** What somebody has who does with the events what docs/protocol.md says. */
function createReading() {
  const steps: string[] = [];
  let current = "";
  return {
    steps,
    current: () => current,
    hear(event: string, payload: unknown) {
      const { delta, text, entry } = payload as { delta?: string; text?: string; entry?: { text: string } };
      if (event === "agent.delta") current += delta ?? "";
      if (event === "agent.snapshot") current = text ?? "";
      if (event === "agent.start_over" || event === "agent.tool_call") current = "";
      if (event === "agent.step") steps.push(entry?.text ?? "");
    },
  };
}

describe("a run that is followed over connections that break", () => {
  it("PROTO-01 comes whole: each step once and in order, and what is being said is what is being said", async () => {
    const move = fc.oneof(
      {
        weight: 5,
        arbitrary: fc.string({ minLength: 1, maxLength: 4 }).map((text): Move => ({ type: "say", text })),
      },
      { weight: 2, arbitrary: fc.constant<Move>({ type: "store" }) },
      { weight: 1, arbitrary: fc.constant<Move>({ type: "start-over" }) },
      { weight: 2, arbitrary: fc.constant<Move>({ type: "cut" }) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(move, { maxLength: 25 }), async (moves) => {
        const run = createRun();
        const server = await serve(run);
        const { link, cut } = connect(server);
        const reading = createReading();
        const waiting = link.request("agent.wait", { runId: "r", stream: true }, { onEvent: reading.hear });
        for (const each of moves) {
          if (each.type === "say") run.say(each.text);
          else if (each.type === "store") run.store();
          else if (each.type === "start-over") run.startOver();
          else cut();
          for (let pause = 0; pause < 3; pause++) await yieldLoop();
        }
        const isThere = () =>
          reading.steps.length === run.entries.length && reading.current() === run.growing();
        while (!isThere()) await yieldLoop();
        // Whatever was said is stored before a run ends.
        run.store();
        run.end();
        await waiting;
        expect(reading.steps).toEqual(
          run.entries.map((entry) => (entry as unknown as { text: string }).text),
        );
        link.close();
      }),
      { numRuns: 30 },
    );
  }, 60_000);

  it("PROTO-01 is told to a second reader, too, from wherever they come in", async () => {
    const run = createRun();
    const server = await serve(run);
    run.say("one");
    run.store();
    run.say("tw");
    const { link } = connect(server);
    const reading = createReading();
    const waiting = link.request("agent.wait", { runId: "r", stream: true }, { onEvent: reading.hear });
    while (reading.current() !== "tw") await yieldLoop();
    expect(reading.steps).toEqual(["one"]);
    run.say("o");
    while (reading.current() !== "two") await yieldLoop();
    run.end();
    await waiting;
  });
});

describe("the client of the sdk against the real server", () => {
  it("PROTO-01 asks, subscribes, and is refused as the server says", async () => {
    const server = await startTestServer({ methods: { "owner.list": async () => ({ owners: [] }) } });
    const { link, cut } = connect(server);
    expect(await link.request("owner.list", {})).toEqual({ owners: [] });
    await expect(link.request("outbox.get", { id: "o" })).rejects.toMatchObject({ code: "METHOD_NOT_FOUND" });
    const heard: string[] = [];
    link.subscribe(["config"], ({ event }) => void heard.push(event));
    await link.request("owner.list", {});
    cut();
    await link.request("owner.list", {});
    server.bus.publish({ event: "config.changed", payload: { inForce: true } });
    await link.request("owner.list", {});
    expect(heard).toEqual(["config.changed"]);
  });
});
