import { describe, expect, it, vi } from "vitest";
import { problemOf } from "../../config/loaded-config.ts";
import { createFakeTerminal, runCommand } from "../testing/fake-terminal.ts";
import { createModelHome, startWholeGateway } from "../testing/model-home.ts";
import * as ask from "./ask.ts";
import * as chat from "./chat.ts";
import * as config from "./config.ts";
import * as models from "./models.ts";

const openHome = () => createModelHome("ok");

const ways = [
  ["without a gateway", async () => {}],
  ["through a gateway", startWholeGateway],
] as const;

describe.each(ways)("asking %s", (_way, begin) => {
  it("shows the words at a terminal while the rest of them is on its way", async () => {
    const { home, server } = await openHome();
    await begin(home);
    const terminal = createFakeTerminal({ outIsTerminal: true, errIsTerminal: true });
    const asking = home.runAt(terminal, ask, "ask", "--model", "mine/held", "hi");
    await vi.waitFor(() => expect(terminal.written()).toBe("Hello "), 20_000);
    server.release();
    expect(await asking).toMatchObject({ status: 0, out: "Hello world.\n" });
  });

  it("writes an answer that is piped once, when it is there", async () => {
    const { home, server } = await openHome();
    await begin(home);
    const terminal = createFakeTerminal();
    const asking = home.runAt(terminal, ask, "ask", "--model", "mine/held", "hi");
    await vi.waitFor(() => expect(server.asked).toHaveLength(1), 20_000);
    expect(terminal.written()).toBe("");
    server.release();
    expect(await asking).toMatchObject({ status: 0, out: "Hello world.\n" });
  });

  it("LOOP-05 goes on with the words that came with --continue", async () => {
    const { home, server } = await openHome();
    await begin(home);
    expect(await home.run(ask, "ask", "--model", "mine/loop", "hi")).toMatchObject({ status: 1 });
    const ran = await home.run(ask, "ask", "--continue", "--model", "mine/ok", "with", "new instructions");
    expect(ran).toMatchObject({ status: 0, out: "Hello world.\n" });
    expect(server.asked.at(-1)?.at(-1)).toContain("with new instructions");
  });

  it("ends the turn as stopped when the process is told to end, and keeps the words so far", async () => {
    const { home } = await openHome();
    await begin(home);
    const terminal = createFakeTerminal({ outIsTerminal: true });
    const end = new AbortController();
    const { environment, root: cwd } = home;
    const args = ["ask", "--model", "mine/held", "hi"];
    const asking = runCommand(ask, args, { environment, cwd, terminal, signal: end.signal });
    await vi.waitFor(() => expect(terminal.written()).toBe("Hello "), 20_000);
    end.abort(new Error("terminated"));
    expect(await asking).toMatchObject({ status: 130, out: "Hello \n", err: "Stopped.\n" });
    const { json } = await home.run(await import("./runs.ts"), "runs", "list", "--json");
    expect(json()).toMatchObject({ runs: [{ state: "failed", ending: { type: "aborted" } }] });
  });

  it("says whom it would have asked, and what to do next, when a question cannot even begin", async () => {
    const { home } = await openHome();
    await begin(home);
    const refused = await home.run(ask, "ask", "--json", "--session", "agent:nobody:x", "hi");
    expect(refused.json()).toMatchObject({ stage: "route", route: "mine", provider: "mine" });
    const wished = await home.run(ask, "ask", "--json", "--model", "nope/x", "hi");
    expect(wished.json()).toMatchObject({ route: "nope", provider: "nope" });
    const said = await home.run(ask, "ask", "--provider", "nope", "hi");
    expect(said).toMatchObject({ status: 1, out: "" });
    expect(said.err).toContain("pincer models list");
  });

  it("CFG-04 asks with the config that the commands before have written", async () => {
    const { home, server } = await openHome();
    await begin(home);
    await home.run(config, "config", "set", "models.providers.fresh.baseUrl", server.baseUrl);
    expect(await home.run(models, "models", "set", "fresh/ok", "--force")).toMatchObject({ status: 0 });
    expect((await home.run(ask, "ask", "--json", "hi")).json()).toMatchObject({ provider: "fresh" });
    await home.run(config, "config", "revert");
    expect((await home.run(ask, "ask", "--json", "hi")).json()).toMatchObject({ provider: "mine" });
  });
});

it("tells a running gateway of a config that has changed, and says what it has against it", async () => {
  const { home } = await openHome();
  const gateway = await home.startGateway();
  await home.run(config, "config", "set", "gateway.port", "7777");
  await home.run(config, "config", "set", "gateway.port", "7777");
  expect(gateway.asked.filter((name) => name === "gateway.reload")).toHaveLength(1);
  const facts = { severity: "error", type: "unreadable", file: "config.json5" } as const;
  gateway.refusals.push(problemOf(facts, "config.problem.gone"));
  const ran = await home.run(config, "config", "unset", "gateway.port");
  expect(ran).toMatchObject({ status: 0 });
  expect(ran.err).toContain("keeps its current config: ");
});

it("counts what came from the cache among the tokens of a test", async () => {
  const { home } = await openHome();
  expect((await home.run(models, "models", "test")).out).toContain("1000 tokens in, 20 out");
});

it("sets no model as a fallback for itself, and says so", async () => {
  const { home } = await openHome();
  const ran = await home.run(
    models,
    "models",
    "set",
    "mine/ok",
    "--fallback",
    "mine/ok",
    "mine/loop",
    "mine/loop",
  );
  expect(ran).toMatchObject({ status: 0 });
  expect(ran.err).toContain("cannot be its own fallback");
  const kept = (await home.run(config, "config", "get", "agents.defaults.model.fallbacks", "--json")).json();
  expect(kept).toMatchObject({ value: ["mine/loop"] });
});

it("MODEL-08 takes words behind a command for nothing else, and asks about a slip instead of asking a model", async () => {
  const { home, server } = await openHome();
  const typed = "/usage all\n/cost x\n/csot\n,hlep\n/tea\n/csot of it\n";
  const ran = await home.runAt(createFakeTerminal({ typed }), chat, "chat");
  expect(ran.err).toContain("This session: 0 calls");
  expect(ran.err).toContain("This session: $0.00.");
  expect(ran.err).toContain("There is no command /csot. /help lists all commands. Did you mean /cost?");
  expect(ran.err).toContain("Did you mean ,help?");
  expect(ran.err).toContain("There is no command /tea.");
  expect(server.asked.map((said) => said.at(-1))).toEqual([expect.stringContaining("/csot of it")]);
});

it("shows the words of a chat at a terminal as they arrive", async () => {
  const { home, server } = await openHome();
  const terminal = createFakeTerminal({ stdin: "hi\n", outIsTerminal: true });
  const chatting = home.runAt(terminal, chat, "chat", "--model", "mine/held");
  await vi.waitFor(() => expect(terminal.written()).toBe("Hello "), 20_000);
  server.release();
  expect((await chatting).out).toBe("Hello world.\n");
});
