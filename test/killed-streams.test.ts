/** The gateway is killed while many answers stream over WebSocket: every run ends once, and its followers get it whole. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Entry } from "@pincer/sdk";
import { createGatewayLink, type GatewayLink } from "@pincer/sdk/client";
import { describe, expect, it, onTestFinished } from "vitest";
import { WebSocket } from "ws";
import { freePort } from "./free-port.ts";
import { makeHome, startGateway } from "./run-pincer.ts";
import { slowAnswer, startSlowModelServer } from "./slow-model-server.ts";

const token = "a token that nobody will guess";
const count = 20;

interface Followed {
  runId: string;
  question: string;
  /** Entries as they were told, by number. */
  steps: Entry[];
  result: string;
}

/** Asks, and follows the answer through whatever happens. */
async function ask(link: GatewayLink, index: number, heard: () => void): Promise<Followed> {
  const question = `Question ${index}`;
  const { runId } = await link.request("agent.run", { input: question, sessionKey: `stream ${index}` });
  const steps: Entry[] = [];
  const answer = await link.request(
    "agent.wait",
    { runId, stream: true, after: 0 },
    {
      onEvent(event, payload) {
        if (event === "agent.delta") heard();
        if (event === "agent.step") steps.push((payload as { entry: Entry }).entry);
      },
    },
  );
  return { runId, question, steps, result: (answer as { result: string }).result };
}

describe("a gateway that is killed while answers stream", () => {
  it("PROTO-01 ends each of 20 runs once after the restart, and those who follow over WebSocket get them whole", async () => {
    const home = makeHome();
    onTestFinished(() => home.remove());
    const model = await startSlowModelServer(30);
    onTestFinished(() => model.close());
    const port = await freePort();
    const config = {
      gateway: { port, auth: { token } },
      queue: { concurrency: 32 },
      models: { providers: { slow: { baseUrl: model.baseUrl, models: [{ id: "slow" }] } } },
      agents: { defaults: { model: { primary: "slow/slow" } } },
    };
    writeFileSync(join(home.path, "config.json5"), JSON.stringify(config), { mode: 0o600 });
    const start = () => startGateway(home, [], { PINCER_PORT: "" });

    const first = await start();
    const links = Array.from({ length: count }, () =>
      createGatewayLink({
        url: `ws://127.0.0.1:${port}/ws`,
        WebSocket: WebSocket as never,
        client: { name: "test", version: "0" },
        auth: async () => ({ token }),
      }),
    );
    onTestFinished(() => links.forEach((link) => link.close()));
    const streaming = new Set<number>();
    const allStream = Promise.withResolvers<void>();
    const asking = links.map((link, index) =>
      ask(link, index, () => {
        streaming.add(index);
        if (streaming.size === count) allStream.resolve();
      }),
    );
    await allStream.promise;
    await first.kill();
    const second = await start();
    onTestFinished(async () => void (await second.kill()));
    const followed = await Promise.all(asking);

    for (const { question, result, steps } of followed) {
      expect(result).toBe(slowAnswer(question));
      const numbers = steps.map(({ seq }) => seq);
      expect(numbers).toEqual([...new Set(numbers)].toSorted((one, other) => one - other));
    }
    const [link] = links;
    const runs = (await link?.request("runs.list", { limit: 100 }))?.runs ?? [];
    expect(runs).toHaveLength(count);
    expect(runs.filter(({ state, ending }) => state !== "done" || ending?.type !== "answered")).toEqual([]);
    expect(new Set(runs.map(({ runId }) => runId))).toEqual(new Set(followed.map(({ runId }) => runId)));
    for (const { sessionId } of runs) {
      const { entries } = (await link?.request("sessions.entries", {
        sessionKey: sessionId ?? "",
        after: 0,
      })) ?? {
        entries: [],
      };
      const roles = entries.flatMap((entry) => (entry.type === "message" ? [entry.message.role] : []));
      expect(roles).toEqual(["user", "assistant"]);
    }
  }, 120_000);
});
