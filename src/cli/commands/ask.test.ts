import { expect, it } from "vitest";
import { createCommandHome } from "../testing/command-home.ts";
import { createFakeTerminal } from "../testing/fake-terminal.ts";
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
