import { expect, it } from "vitest";
import { createCommandHome } from "../testing/command-home.ts";
import { createFakeTerminal } from "../testing/fake-terminal.ts";
import { createModelHome } from "../testing/model-home.ts";
import * as ask from "./ask.ts";
import * as rules from "./rules.ts";

it("takes a rule for a rule and not for a question", async () => {
  const home = await createCommandHome();
  const set = await home.run(ask, "ask", "never", "deploy", "until", "I", "say");
  expect(set).toMatchObject({ status: 0 });
  expect(set.out).toContain("Rule 1 is enforced: exec, process must not run.");
  const json = await home.run(ask, "ask", "--json", "/rule be brief");
  expect(json.json()).toMatchObject({
    route: "command",
    stage: "done",
    result: expect.stringContaining("Rule 2 is a reminder"),
    toolCalls: [],
    usage: { total: 0 },
  });
  expect(json.json()).not.toHaveProperty("error");
  expect((await home.run(ask, "ask", "/rules")).out).toBe(
    "1. never deploy until I say – enforced\n2. be brief – reminder\n",
  );
  expect((await home.run(ask, "ask", "/rule remove 1")).out).toContain("Rule 1 is removed");
  expect((await home.run(rules, "rules", "list")).out).not.toContain("deploy");
});

it("sets no rule by what comes through a pipe", async () => {
  const home = await createCommandHome();
  for (const words of [[], ["-"]]) {
    const terminal = createFakeTerminal({ stdin: "/rule never run commands" });
    await home.runAt(terminal, ask, "ask", ...words, "--provider", "stub");
  }
  expect((await home.run(rules, "rules", "list", "--json")).json()).toEqual({ rules: [] });
});

it("tells a person at a terminal how to connect a model, and tells scripts nothing", async () => {
  const home = await createCommandHome();
  const terminal = createFakeTerminal({ outIsTerminal: true });
  const seen = await home.runAt(terminal, ask, "ask", "hello", "--provider", "stub");
  expect(seen.err).toContain("To connect a model: pincer onboard");
  expect((await home.run(ask, "ask", "hello", "--provider", "stub")).err).toBe("");
});

/** How many rounds of tool calls the loop ran before it was stopped. */
async function stepsOf(config: object, ...words: string[]): Promise<number> {
  const { home, server } = await createModelHome("loop", config);
  const ran = await home.run(ask, "ask", "--json", "--no-memory", ...words, "go");
  expect(ran.json()).toMatchObject({ error: { code: "tool/limit" } });
  return server.asked.length - 1;
}

it("CLI-11 LOOP-04 goes as many tool steps as the agent may, 50 unless the config or the flag says otherwise", async () => {
  expect(await stepsOf({})).toBe(50);
  expect(await stepsOf({}, "--tool-max-steps", "7")).toBe(7);
});

it("CLI-11 X7 keeps to three steps under the preset seed, unless the flag says otherwise", async () => {
  expect(await stepsOf({ preset: "seed" })).toBe(3);
  expect(await stepsOf({ preset: "seed" }, "--tool-max-steps", "4")).toBe(4);
});

it("LOOP-05 names the session in the hint, and the hint goes on with it", async () => {
  const { home } = await createModelHome("loop");
  const limit = ["--tool-max-steps", "1"];
  const ran = await home.run(ask, "ask", "--session", "lp1", ...limit, "go");
  const hint = /pincer (ask --session lp1 --continue)/.exec(ran.err)?.[1] ?? "";
  const again = await home.run(ask, ...hint.split(" "), ...limit);
  expect(again.err + again.out).toContain("I stopped after 1 tool steps");
  expect((await home.run(ask, "ask", ...limit, "go")).err).toContain("pincer ask --continue");
});
