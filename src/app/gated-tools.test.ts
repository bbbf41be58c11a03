import { defineTool } from "@pincer/sdk";
import { createHandClock } from "@pincer/sdk/testing";
import { Type } from "typebox";
import { expect, it } from "vitest";
import { createToolExecutor } from "../tools/tool-executor.ts";
import { createToolSet } from "../tools/tool-set.ts";
import { gateTools } from "./gated-tools.ts";

it.each(['{"to": "a', "[1]", '"text"', "null", "", "{}}"])(
  "LOOP-04 answers a call whose arguments are %j with invalid_args, and never runs it",
  async (invalidArguments) => {
    let ran = 0;
    const send = defineTool({
      name: "send",
      effect: "act",
      description: "Send.",
      input: Type.Object({ to: Type.String({ default: "everybody" }) }),
      async run() {
        ran++;
        return { text: "sent" };
      },
    });
    const tools = createToolSet([send]);
    const executor = createToolExecutor({ tools, clock: createHandClock() });
    const gated = gateTools({ tools, executor }, [], { sessionKey: "main" });
    const call = { type: "toolCall" as const, id: "c", name: "send", arguments: {}, invalidArguments };
    const result = await gated.call(call, new AbortController().signal);
    expect(result).toMatchObject({ ok: false, error: { code: "invalid_args" } });
    expect(ran).toBe(0);
  },
);
