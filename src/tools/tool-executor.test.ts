import { defineTool, toolErrorCodes } from "@pincer/sdk";
import { createHandClock } from "@pincer/sdk/testing";
import { Type } from "typebox";
import { describe, expect, it } from "vitest";
import { createEchoTool } from "./echo.ts";
import { createToolExecutor } from "./tool-executor.ts";
import { createToolSet } from "./tool-set.ts";

const clock = createHandClock();
const failing = defineTool({
  name: "failing",
  effect: "read",
  description: "Always throws.",
  input: Type.Object({}),
  run: async () => {
    throw new Error("the disk is on fire");
  },
});
const counting = defineTool({
  name: "counting",
  effect: "read",
  description: "Needs a number.",
  input: Type.Object({ count: Type.Integer({ minimum: 1, default: 7 }) }),
  async run({ count }) {
    await clock.advance(20);
    return { text: String(count), details: { count } };
  },
});
const executor = createToolExecutor({ tools: createToolSet([createEchoTool(), failing, counting]), clock });
const context = { callId: "c1", sessionKey: "agent:main:main", signal: new AbortController().signal };

describe("the tool executor", () => {
  it("TOOL-13 answers with content, data and how long it took", async () => {
    expect(await executor.execute({ name: "counting", arguments: { count: 3 } }, context)).toEqual({
      ok: true,
      content: [{ type: "text", text: "3" }],
      data: { count: 3 },
      origin: "tool",
      usage: { durationMs: 20 },
    });
  });

  it("fills in the defaults of the schema", async () => {
    expect((await executor.execute({ name: "counting", arguments: {} }, context)).data).toEqual({ count: 7 });
  });

  it("finds a tool by any of its aliases", async () => {
    const result = await executor.execute({ name: "tools.echo", arguments: { text: "hi" } }, context);
    expect(result.content).toEqual([{ type: "text", text: "hi" }]);
  });

  it.each([
    ["tool_not_found", "nope", {}, "there is no tool nope"],
    ["invalid_args", "counting", { count: 0 }, "count must be >= 1"],
    ["invalid_args", "counting", { count: "3" }, "count must be integer"],
    ["invalid_args", "counting", { kount: 3 }, "unknown argument kount; it takes count"],
    ["invalid_args", "tools_echo", {}, "text"],
    ["invalid_args", "counting", "not json", "arguments must be a JSON object"],
    ["invalid_args", "counting", [1], "arguments must be a JSON object"],
    ["execution_error", "failing", {}, "the disk is on fire"],
  ])("TOOL-14 answers %s for %s %j", async (code, name, given, message) => {
    const result = await executor.execute({ name, arguments: given }, context);
    expect(result.ok).toBe(false);
    expect(result.error?.code).toBe(code);
    expect(result.error?.message).toContain(message);
    expect(toolErrorCodes).toContain(result.error?.code);
  });

  it("does not begin once the run has been stopped", async () => {
    const stopped = { ...context, signal: AbortSignal.abort(new Error("stopped")) };
    const result = await executor.execute({ name: "counting", arguments: {} }, stopped);
    expect(result.error).toEqual({ code: "execution_error", message: "stopped" });
  });

  it("leaves the caller's arguments as they were", async () => {
    const given = {};
    await executor.execute({ name: "counting", arguments: given }, context);
    expect(given).toEqual({});
  });
});

describe("the tool set", () => {
  it("refuses two tools of one name or alias", () => {
    const other = defineTool({ ...failing, aliases: ["tools.echo"], input: Type.Object({}) });
    expect(() => createToolSet([createEchoTool(), other])).toThrow("two tools answer to tools.echo");
  });
});
