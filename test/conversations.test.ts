/** What strangers wrote in earlier turns is shown as handles: it does not seem to be forgotten, and costs little. */
import { describe, expect, it } from "vitest";
import { conversations, measureConversations } from "../bench/conversations.ts";
import { shuffled } from "../scripts/test-seed.ts";

describe("conversations about pages and mails", () => {
  it("get what they need: the last answer without a request, anything before by its handle", async () => {
    const drawn = shuffled(conversations, ({ id }) => id).slice(0, 4);
    const figures = await measureConversations(drawn);
    expect(figures).toMatchObject({ conversations: 4, forgotten: [], recallsForLast: 0 });
    // Reading each document is one request more than answering.
    expect(figures.recalls).toBeLessThanOrEqual(figures.turns);
  });
});
