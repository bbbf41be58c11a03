import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { frozen } from "../../infra/frozen.ts";
import { chatBodyOf, createChatBody } from "./chat-body.ts";

const schema = () => frozen({ type: "object", properties: { a: { type: "string" } } });
const tool = (parameters: object, more: object = {}) => ({
  type: "function",
  function: { name: "read", description: "Reads.", parameters, ...more },
});

describe("the body of a chat completion", () => {
  it("is to the letter what JSON.stringify makes of it", () => {
    const schemas = [schema(), schema(), { type: "object" }];
    const name = fc.constantFrom("read", "write", "\ud800", undefined, 7);
    const anyTool = fc.oneof(
      fc.record(
        {
          type: fc.constantFrom("function", "custom"),
          function: fc.record(
            {
              name,
              description: name,
              parameters: fc.constantFrom(...schemas),
              strict: fc.constantFrom(true, false, undefined),
              format: fc.constant("x"),
            },
            { requiredKeys: ["name"] },
          ),
          cache_control: fc.constant({ type: "ephemeral" }),
        },
        { requiredKeys: ["type", "function"] },
      ),
      fc.jsonValue(),
      fc.constant(undefined),
    );
    const request = fc.record(
      {
        model: fc.string(),
        messages: fc.array(fc.jsonValue()),
        tools: fc.oneof(fc.array(anyTool), fc.jsonValue()),
        max_tokens: fc.constantFrom(undefined, Number.NaN, 5),
        later: fc.constant(() => 1),
      },
      { requiredKeys: ["model"] },
    );
    fc.assert(
      fc.property(request, (each) => {
        expect(chatBodyOf(each)).toBe(JSON.stringify(each));
      }),
    );
  });

  it("shows a tool as it is now, also where its schema was shown before", () => {
    const parameters = schema();
    for (const more of [
      {},
      { name: "write" },
      { description: "Else." },
      { strict: false },
      { strict: undefined },
      { cost: 1 },
      {},
    ]) {
      const tools = [tool(parameters, more), { ...tool(parameters, more), cache_control: 1 }];
      expect(chatBodyOf({ tools })).toBe(JSON.stringify({ tools }));
    }
    const open = { type: "object", properties: {} };
    const before = chatBodyOf({ tools: [tool(open)] });
    Object.assign(open.properties, { b: { type: "number" } });
    expect(chatBodyOf({ tools: [tool(open)] })).not.toBe(before);
  });

  it("is handed out once, and what the client is told is little", () => {
    const body = createChatBody();
    expect(body.take()).toBeUndefined();
    const told = body.onPayload({ model: "m", messages: [{ role: "user" }], stream: true, tools: [] });
    expect(told).toEqual({ model: "m", messages: [], stream: true });
    expect(body.take()).toBe('{"model":"m","messages":[{"role":"user"}],"stream":true,"tools":[]}');
    expect(body.take()).toBeUndefined();
    expect(body.onPayload("odd")).toBeUndefined();
    expect(body.take()).toBeUndefined();
  });
});
