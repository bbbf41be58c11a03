import { describe, expect, it } from "vitest";
import { compactOften, holdConversation } from "./long-conversation.ts";

describe("a long conversation", () => {
  it("COMP-21 COMP-24 keeps 150 turns with tools in a small window: nothing refused, nothing lost, every rule kept", async () => {
    const figures = await holdConversation(150, 7);
    expect(figures).toMatchObject({ refused: 0 });
    expect(figures["compactions"]).toBeGreaterThan(30);
  });

  it("keeps every rule, in the prompt and at the gate, over compactions", async () => {
    expect(await compactOften(20)).toEqual({ compactions: 20 });
  });
});
