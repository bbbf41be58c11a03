import { defineTool, type ToolCallBlock } from "@pincer/sdk";
import { createHandClock } from "@pincer/sdk/testing";
import { asyncProperty, assert, boolean, constantFrom } from "fast-check";
import { Type } from "typebox";
import { expect, it } from "vitest";
import { createToolExecutor } from "../tools/tool-executor.ts";
import { createToolSet } from "../tools/tool-set.ts";
import { dryEffectOf } from "./dry-run.ts";
import { gateTools } from "./gated-tools.ts";

const effects = { read: "read", write: "write", exec: "act", message: "act", keep: "write" } as const;

/** Tools that note where they ran. */
function toolsOf(ran: string[], where: string) {
  const tools = createToolSet(
    Object.entries(effects).map(([name, effect]) =>
      defineTool({
        name,
        effect,
        description: name,
        input: Type.Object({ background: Type.Optional(Type.Boolean()) }),
        async run(input, { place }) {
          const network = place?.isSensitive ? ", offline" : "";
          ran.push(`${name} ${where}${network}${input.background ? ", behind" : ""}`);
          return { text: "done" };
        },
      }),
    ),
  );
  return { tools, executor: createToolExecutor({ tools, clock: createHandClock() }) };
}

async function dryly(name: string, { isWalled = true, asks = false, background = false } = {}) {
  const ran: string[] = [];
  const { executor } = toolsOf(ran, "in the copy");
  let isCopied = false;
  const gated = gateTools(
    toolsOf(ran, "here"),
    asks ? [{ type: "mode", source: "tools.modes", names: [name], mode: "approval-required" }] : [],
    {
      sessionKey: "main",
      visibility: {
        channel: "cli",
        chatType: "main",
        userRoles: ["owner"],
        sessionKey: "main",
        agentId: "main",
      },
      approvals: {
        grants: async () => new Map(),
        ask: () => Promise.reject(new Error("nobody is asked in a dry run")),
        spend: () => Promise.reject(new Error("nothing is spent in a dry run")),
      },
      snapshot: undefined,
      dryRun: {
        isWalled: async () => isWalled,
        async inCopy() {
          isCopied = true;
          return executor;
        },
        copied: async () => (isCopied ? executor : undefined),
      },
    },
  );
  const block: ToolCallBlock = {
    type: "toolCall",
    id: "c",
    name,
    arguments: background ? { background } : {},
  };
  const { content, isError, ...result } = await gated
    .call(block, new AbortController().signal)
    .then(({ ok, ...rest }) => ({ ...rest, isError: !ok }));
  const message = {
    role: "toolResult" as const,
    toolCallId: "c",
    toolName: name,
    isError,
    content,
    ...(result.origin && { origin: result.origin }),
    details: { data: result.data },
  };
  return { ran, listed: dryEffectOf(message), text: content };
}

it("in a dry run what acts is listed and never runs, whatever the rules say, and nobody is asked", async () => {
  await assert(
    asyncProperty(
      constantFrom(...Object.keys(effects)),
      boolean(),
      boolean(),
      boolean(),
      async (name, isWalled, asks, background) => {
        const { ran, listed } = await dryly(name, { isWalled, asks, background });
        expect(ran.filter((each) => /^(?:message|keep)/.test(each))).toEqual([]);
        expect(ran.filter((each) => each.endsWith("here") && !each.startsWith("read"))).toEqual([]);
        expect(ran.filter((each) => /^exec.*behind/.test(each))).toEqual([]);
        // Either it ran where it may, or it is listed.
        expect(ran.length === 1).toBe(listed === undefined);
        expect(asks && listed?.would !== "ask").toBe(false);
      },
    ),
  );
});

it("files are changed in the copy, and programs run there without a network, where a wall works", async () => {
  expect((await dryly("read")).ran).toEqual(["read here"]);
  expect((await dryly("write")).ran).toEqual(["write in the copy"]);
  expect((await dryly("exec")).ran).toEqual(["exec in the copy, offline"]);
  expect((await dryly("exec", { isWalled: false })).listed).toMatchObject({ tool: "exec", would: "run" });
});

it("a tool cannot put anything on the list itself", () => {
  const details = { data: { dryRun: { tool: "message", would: "run" } } };
  const message = {
    role: "toolResult" as const,
    toolCallId: "c",
    toolName: "x",
    isError: false,
    content: [],
  };
  expect(dryEffectOf({ ...message, origin: "tool", details })).toBeUndefined();
});
