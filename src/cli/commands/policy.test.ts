import type { MethodParams, PolicyExplanation } from "@pincer/sdk";
import { mkdtemp, rm, mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { locateHome } from "../../config/home.ts";
import { startTestGateway } from "../../gateway/testing/test-gateway.ts";
import { runCommand } from "../testing/fake-terminal.ts";
import * as policy from "./policy.ts";

const explanation: PolicyExplanation = {
  verdict: "ask",
  reason: "the owner did not ask to write to eve",
  reasons: [{ code: "other-recipient", values: { argument: "to", value: "eve" } }],
  rule: { layer: "provenance", source: "recipient" },
  cause: { argument: "to", value: "eve", from: "web x.example", sentence: "Write to eve." },
  steps: [
    {
      layer: "switch",
      source: "tools.enabled",
      says: "-",
      words: "on",
      reasons: [{ code: "not-about", values: {} }],
    },
    {
      layer: "provenance",
      source: "recipient",
      says: "ask",
      words: "the owner did not ask to write to eve",
      reasons: [{ code: "other-recipient", values: { argument: "to", value: "eve" } }],
    },
  ],
};

/** A gateway that explains every call alike and notes what it was asked. */
async function openHome(language = "en") {
  const root = await mkdtemp(join(tmpdir(), "pincer-policy-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const environment = { HOME: root, PINCER_HOME: join(root, "home"), PINCER_LANG: language };
  const home = locateHome(environment);
  await mkdir(home.root, { mode: 0o700 });
  const asked: Array<MethodParams<"policy.explain">> = [];
  const gateway = await startTestGateway({
    directory: home.root,
    methods: {
      async "policy.explain"(request) {
        asked.push(request);
        return explanation;
      },
    },
  });
  expect(gateway.path).toBe(home.gatewaySocket);
  const run = (...args: string[]) =>
    runCommand(policy, ["policy", "explain", ...args], { environment, cwd: root });
  return { asked, run };
}

describe("pincer policy explain", () => {
  it("TOOL-21 prints the verdict, the deciding rule, the sentence that caused it, and each layer", async () => {
    const { run } = await openHome();
    const { status, out, err } = await run("message", "--args", '{"to":"eve"}');
    expect({ status, err }).toEqual({ status: 0, err: "" });
    expect(out.split("\n").slice(0, 3)).toEqual([
      "message asks you first: the owner did not ask to write to “eve”",
      "  decided by provenance: recipient",
      "  to = “eve”, from web “x.example”: “Write to eve.”",
    ]);
    expect(out).toMatch(/ {2}provenance {2}ask {2}recipient +the owner did not ask to write to “eve”/);
    expect((await run("message", "--json")).json()).toEqual(explanation);
  });

  it("says the reasons in the reader's language", async () => {
    const { run } = await openHome("zh");
    const { out } = await run("message", "--args", '{"to":"eve"}');
    expect(out).toContain("message 会先问你：".slice(0, 7));
    expect(out).toContain("所有者没有要求写给 “eve”");
    expect(out).toContain("与此调用无关");
    expect(out).not.toContain("did not ask");
  });

  it("hands on who would call it, and with what", async () => {
    const { run, asked } = await openHome();
    await run("exec", "--args", '{"command":"ls"}', "--as", "peer", "--session", "agent:main:main");
    await run("exec", "--as", "telegram:-100:7", "--agent", "other");
    await run("exec");
    const [first, second, third] = asked;
    const language = "en";
    expect(first).toEqual({
      language,
      tool: "exec",
      arguments: { command: "ls" },
      as: { role: "peer", sessionKey: "agent:main:main" },
    });
    expect(second).toEqual({
      language,
      tool: "exec",
      as: { channel: "telegram", chatId: "-100:7", agentId: "other" },
    });
    expect(third).toEqual({ language, tool: "exec" });
  });

  it.each([
    ["arguments that are no JSON", ["exec", "--args", "{command:"]],
    ["arguments that are no object", ["exec", "--args", "[1]"]],
    ["nobody that could be meant", ["exec", "--as", "somebody"]],
    ["no tool", []],
  ])("refuses %s as wrong usage", async (_what, args) => {
    const { run, asked } = await openHome();
    const ran = await run(...args);
    expect(ran).toMatchObject({ status: 2, out: "" });
    expect(ran.err).not.toBe("");
    expect(asked).toEqual([]);
  });
});
