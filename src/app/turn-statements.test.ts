import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { StatementSync } from "node:sqlite";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createGateway } from "./create-gateway.ts";
import type { Gateway } from "./gateway.ts";
import { gatewayParts } from "./testing/gateway-parts.ts";

let home: string;
let provider: Server;
let gateway: Gateway;
const ran = vi.spyOn(StatementSync.prototype, "all");
const token = "a-token-that-nobody-else-has";

const chunk = (body: object) =>
  `data: ${JSON.stringify({ id: "c1", object: "chat.completion.chunk", created: 1, model: "instant", ...body })}\n\n`;
const answer = [
  chunk({ choices: [{ index: 0, delta: { content: "Very well." }, finish_reason: null }] }),
  chunk({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] }),
  chunk({ choices: [], usage: { prompt_tokens: 100, completion_tokens: 12, total_tokens: 112 } }),
  "data: [DONE]\n\n",
].join("");

const listen = async (server: Server): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
};

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), "pincer-statements-"));
  provider = createServer((request, response) => {
    request.resume().on("end", () => {
      response.writeHead(200, { "content-type": "text/event-stream" }).end(answer);
    });
  });
  const baseUrl = `http://127.0.0.1:${await listen(provider)}/v1`;
  const free = createServer();
  const port = await listen(free);
  await new Promise((resolve) => free.close(resolve));
  const config = {
    gateway: { port, auth: { token } },
    models: { providers: { local: { baseUrl, models: [{ id: "instant", contextWindow: 1_000_000 }] } } },
    agents: { defaults: { model: { primary: "local/instant" } } },
  };
  writeFileSync(join(home, "config.json5"), JSON.stringify(config), { mode: 0o600 });
  gateway = await createGateway(gatewayParts(home), { isServed: true }, {});
});
afterEach(async () => {
  await gateway.stop(1000);
  provider.closeAllConnections();
  await new Promise((resolve) => provider.close(resolve));
  rmSync(home, { recursive: true });
});

async function ask(): Promise<void> {
  const response = await fetch(`${gateway.address?.()}/v1/chat/completions`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      authorization: `Bearer ${token}`,
      "x-pincer-session": "counted",
    },
    body: JSON.stringify({ model: "pincer", messages: [{ role: "user", content: "How are you?" }] }),
  });
  const { choices } = (await response.json()) as { choices: Array<{ message: { content: string } }> };
  expect(choices[0]?.message.content).toBe("Very well.");
}

/** What comes along with the next write is written by itself where that one is late: such a transaction is none of the turn's. */
const alone =
  /\bBEGIN IMMEDIATE\n((?:UPDATE (?:sessions SET mirrored_seq|leases SET holder_json = NULL)[^\n]*\n)+)COMMIT\n/g;

it(
  "a warm turn over HTTP takes few statements and five write transactions",
  { timeout: 30_000 },
  async () => {
    for (let turn = 0; turn < 5; turn++) await ask();
    ran.mockClear();
    for (let turn = 0; turn < 11; turn++) await ask();
    const said = (ran.mock.contexts as StatementSync[])
      .map(({ sourceSQL }) => sourceSQL.replaceAll(/\s+/g, " "))
      .join("\n");
    const turns = said
      .replaceAll(alone, "$1")
      .split(/(?=BEGIN IMMEDIATE\n(?:UPDATE [^\n]*\n)*INSERT INTO inbox)/)
      .slice(1)
      .map((turn) => turn.trim().split("\n"));
    const middle = (counts: number[]) => counts.toSorted((a, b) => a - b)[counts.length >> 1];
    expect(turns.length).toBeGreaterThan(9);
    expect(middle(turns.map((turn) => turn.filter((sql) => sql === "BEGIN IMMEDIATE").length))).toBe(5);
    expect(middle(turns.map(({ length }) => length))).toBeLessThanOrEqual(54);
  },
);
