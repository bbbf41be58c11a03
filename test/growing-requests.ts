/**
 * What providers keep of a conversation they find again only if its beginning is the same to the byte: a talk of many turns with one
 * that counts what it finds again.
 */
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { createApp } from "../src/app/create-app.ts";
import { createRedactor } from "../src/infra/redactor.ts";
import { createSay } from "../src/infra/texts.ts";
import { openHome } from "../src/storage/home/open-home.ts";

interface Asked {
  messages: Array<{ role: string; content: unknown }>;
  tools: unknown[];
}

export async function expectGrowingRequests(turns: number): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), "pincer-cache-"));
  const asked: Asked[] = [];
  const server = startProvider(asked);
  try {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const config = {
      models: { providers: { fake: { baseUrl: `http://127.0.0.1:${port}/v1`, models: [{ id: "m" }] } } },
      agents: { defaults: { model: { primary: "fake/m" } } },
    };
    writeFileSync(join(home, "config.json5"), JSON.stringify(config), { mode: 0o600 });
    const parts = {
      environment: { PINCER_HOME: home },
      redactor: createRedactor(),
      say: createSay("en"),
      notify: () => {},
      cwd: home,
    };
    const app = await createApp(parts, {});
    const signal = new AbortController().signal;
    const wishes = { tools: { enabled: true, allow: [] } };
    for (let turn = 1; turn <= turns; turn++)
      await app.ask({ input: `question ${turn}`, typed: false, wishes, signal });
    await app.close();

    expect(asked.length).toBeGreaterThan(turns);
    expect(new Set(asked.map(({ messages, tools }) => hash([messages[0], tools]))).size).toBe(1);
    // Each request begins with all of the one before it, except where the window jumps: twice in its own length.
    const jumps = asked.filter((request, index) => {
      const before = asked[index - 1]?.messages ?? [];
      return before.some((message, at) => text(message) !== text(request.messages[at]));
    });
    expect(jumps.length).toBeLessThanOrEqual((2 * turns + 200) / 24 + 1);

    const openedHome = await openHome(parts, {});
    const [sum] = await openedHome.stores.usage.report({ by: "model", limit: 1 });
    await openedHome.close();
    expect(sum?.calls).toBe(asked.length);
    expect((sum?.cacheRead ?? 0) / ((sum?.cacheRead ?? 0) + (sum?.input ?? 0))).toBeGreaterThan(0.8);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    rmSync(home, { recursive: true });
  }
}

/** Answers everything, calls a tool every tenth time, and counts what it has seen before as cached. */
function startProvider(asked: Asked[]): Server {
  return createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const body = JSON.parse(Buffer.concat(parts).toString()) as Asked;
      const before = asked.at(-1)?.messages ?? [];
      const same = before.findIndex((message, at) => text(message) !== text(body.messages[at]));
      const cached = same < 0 ? before.length : same;
      asked.push(body);
      const isResult = body.messages.at(-1)?.role === "tool";
      const call = { index: 0, id: `c${asked.length}`, function: { name: "time_now", arguments: "{}" } };
      const wants = asked.length % 10 === 0 && !isResult;
      const delta = wants ? { tool_calls: [call] } : { content: `answer ${asked.length}` };
      const usage = {
        prompt_tokens: 10 * body.messages.length,
        completion_tokens: 2,
        prompt_tokens_details: { cached_tokens: 10 * cached },
      };
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(
        [
          { choices: [{ index: 0, delta }] },
          { choices: [{ index: 0, delta: {}, finish_reason: wants ? "tool_calls" : "stop" }] },
          { choices: [], usage },
        ]
          .map((event) => `data: ${JSON.stringify({ id: "x", model: "m", ...event })}\n\n`)
          .join("") + "data: [DONE]\n\n",
      );
    });
  });
}

const text = (value: unknown) => JSON.stringify(value);
const hash = (value: unknown) => createHash("sha256").update(text(value)).digest("hex");
