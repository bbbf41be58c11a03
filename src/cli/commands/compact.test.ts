import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createGateway } from "../../app/gateway/create-gateway.ts";
import { createRedactor } from "../../infra/redactor.ts";
import { createSay } from "../../infra/texts.ts";
import { createCommandHome, type CommandHome } from "../testing/command-home.ts";
import { createFakeTerminal, runCommand } from "../testing/fake-terminal.ts";
import { startModelServer } from "../testing/model-server.ts";
import * as ask from "./ask.ts";
import * as chat from "./chat.ts";
import * as sessions from "./sessions.ts";
import * as tape from "./tape.ts";

async function openHome(primary: "mine/ok" | "mine/held") {
  const server = await startModelServer();
  const home = await createCommandHome();
  const models = ["ok", "held"].map((id) => ({ id }));
  const config = {
    models: { discover: false, providers: { mine: { baseUrl: server.baseUrl, models } } },
    agents: { defaults: { model: { primary } } },
  };
  await mkdir(home.environment["PINCER_HOME"] ?? "", { mode: 0o700 });
  await writeFile(join(home.root, "home", "config.json5"), JSON.stringify(config), { mode: 0o600 });
  return { home, server };
}

/** The whole gateway, with turns. */
async function startGateway({ environment, root }: CommandHome): Promise<void> {
  const parts = { environment, redactor: createRedactor(), say: createSay("en"), cwd: root };
  const talk = { version: "0.0.0-test", notify: () => {}, tell: () => {} };
  const gateway = await createGateway({ ...parts, ...talk }, {});
  onTestFinished(() => gateway.stop(1000));
}

async function talk(home: CommandHome): Promise<void> {
  for (const bird of ["heron", "stork", "crane", "ibis"]) {
    const { status } = await home.run(ask, "ask", "--model", "mine/ok", `I saw a ${bird} today`);
    expect(status).toBe(0);
  }
}

const marks = async (home: CommandHome) =>
  (await home.run(tape, "tape", "anchors", "--json")).json<{ marks: unknown[] }>().marks;

const ways = [
  ["without a gateway", async () => {}],
  ["through a gateway", startGateway],
] as const;

describe.each(ways)("summing a session up %s", (_way, begin) => {
  it("COMP-04 answers with the summary and what stays, and everything is still found", async () => {
    const { home, server } = await openHome("mine/ok");
    await begin(home);
    await talk(home);
    const before = server.asked.length;
    const ran = await home.run(sessions, "sessions", "compact", "main", "keep", "the", "birds", "--json");
    expect(ran.json()).toMatchObject({
      ok: true,
      compacted: true,
      result: { summary: expect.stringContaining("Hello world."), firstKeptEntryId: expect.any(String) },
    });
    expect(JSON.stringify(server.asked.slice(before))).toContain("keep the birds");
    expect(await marks(home)).toMatchObject([{ type: "summary", name: "manual" }]);
    expect((await home.run(tape, "tape", "search", "heron")).out).toContain("user: I saw a heron today");
  });

  it("COMP-03 writes nothing when it is stopped in the middle", async () => {
    const { home, server } = await openHome("mine/held");
    await begin(home);
    await talk(home);
    const before = server.asked.length;
    const stop = new AbortController();
    const running = runCommand(sessions, ["sessions", "compact", "main"], {
      environment: home.environment,
      cwd: home.root,
      signal: stop.signal,
    });
    await vi.waitFor(() => expect(server.asked.length).toBeGreaterThan(before), 20_000);
    stop.abort(new Error("interrupted"));
    expect((await running).status).toBe(130);
    expect(await marks(home)).toEqual([]);
  });
});

it("sums up with /compact in a chat", async () => {
  const { home } = await openHome("mine/ok");
  await talk(home);
  await home.runAt(createFakeTerminal({ stdin: "/compact keep the birds\n" }), chat, "chat");
  expect(await marks(home)).toMatchObject([{ type: "summary", name: "manual" }]);
});
