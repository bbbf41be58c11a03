import { describe, expect, it } from "vitest";
import { compactOften, holdConversation } from "./long-conversation.ts";

describe("a conversation that does not end", () => {
  it("COMP-21 COMP-24 keeps 2,000 turns with tools in a small window: nothing refused, nothing lost, every rule kept", async () => {
    const figures = await holdConversation(2000, 11);
    expect(figures).toMatchObject({ refused: 0 });
    expect(figures["compactions"]).toBeGreaterThan(400);
  });

  it("keeps every rule, in the prompt and at the gate, over 500 compactions", async () => {
    expect(await compactOften(500)).toEqual({ compactions: 500 });
  });
});
