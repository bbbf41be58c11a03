import { describe, expect, it, vi } from "vitest";
import type { CommandHome } from "../testing/command-home.ts";
import { createFakeTerminal, runCommand } from "../testing/fake-terminal.ts";
import { createModelHome, startWholeGateway } from "../testing/model-home.ts";
import * as ask from "./ask.ts";
import * as chat from "./chat.ts";
import * as sessions from "./sessions.ts";
import * as tape from "./tape.ts";

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
  ["through a gateway", startWholeGateway],
] as const;

describe.each(ways)("summing a session up %s", (_way, begin) => {
  it("COMP-04 answers with the summary and what stays, and everything is still found", async () => {
    const { home, server } = await createModelHome("ok");
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
    const { home, server } = await createModelHome("held");
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
  const { home } = await createModelHome("ok");
  await talk(home);
  await home.runAt(createFakeTerminal({ typed: "/compact keep the birds\n" }), chat, "chat");
  expect(await marks(home)).toMatchObject([{ type: "summary", name: "manual" }]);
});
