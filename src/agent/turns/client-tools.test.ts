import { describe, expect, it } from "vitest";
import type { TurnTools } from "../settle-calls.ts";
import { requireOtherNames, withClientTools } from "./client-tools.ts";

const theirs = { name: "theirs", description: "", parameters: {} };
const ours = { name: "ours", description: "", parameters: {} };
const call = (name: string) => ({ type: "toolCall" as const, id: "c", name, arguments: {} });
const signal = new AbortController().signal;

const tools: TurnTools = {
  descriptions: [ours],
  isIdempotent: () => false,
  acts: () => true,
  admit: async () => ({ type: "break", reason: "asked the gate" }),
};

describe("tools of the caller", () => {
  it("are shown beside ours, and their calls never come to the gate", async () => {
    const together = withClientTools(tools, [theirs]);
    expect(together.descriptions).toEqual([ours, theirs]);
    expect(await together.admit(call("theirs"), signal)).toEqual({ type: "hand-over" });
    expect(await together.admit(call("ours"), signal)).toMatchObject({ type: "break" });
    expect([together.isHandedOver?.(theirs), together.isHandedOver?.(ours)]).toEqual([true, false]);
  });

  it("change nothing where there are none", () => {
    expect(withClientTools(tools, [])).toBe(tools);
  });

  it("may not have a name that one of ours answers to", () => {
    const own = { find: (name: string) => (name === "ours" ? ({} as never) : undefined) };
    expect(() => requireOtherNames(own, [theirs])).not.toThrow();
    expect(() => requireOtherNames(own, [theirs, ours])).toThrow("ours has the name of");
  });
});
