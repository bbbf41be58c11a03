import { noUsage, type AssistantMessage, type EntryBody } from "@pincer/sdk";
import { expect, it } from "vitest";
import type { Admission } from "../gate/admission.ts";
import { createNoteTaking, noteTool } from "./take-notes.ts";

const answer: AssistantMessage = {
  role: "assistant",
  content: [{ type: "toolCall", id: "c", name: noteTool, arguments: { text: "blue" } }],
  provider: "p",
  model: "m",
  usage: noUsage(),
  stopReason: "toolUse",
};

it("SAFE-02 nobody is asked about a note: one that may not simply run is not taken, and the turn goes on", async () => {
  const admissions: Admission[] = [
    { type: "pause", approvalId: "K7" },
    { type: "break", reason: "too many" },
  ];
  for (const admission of admissions) {
    const noted: EntryBody[] = [];
    const asking: unknown[] = [];
    const taking = createNoteTaking({
      journal: {
        async note(body) {
          noted.push(body);
          return { ...body, seq: 1, time: "2026-01-01T12:00:00.000Z" };
        },
      },
      tools: {
        descriptions: [{ name: noteTool, description: "", parameters: {} }],
        isIdempotent: () => false,
        acts: () => true,
        async admit(_call, _signal, whom) {
          asking.push(whom);
          return admission;
        },
      },
      flush: { enabled: true, lastAt: null, today: () => "2026-01-01", isWritable: async () => true },
      onEvent: () => {},
      ask: async () => answer,
    });
    await taking.ifDue({
      used: 100,
      thresholds: { flushAt: 10, compactAt: 200, keepTokens: 5 },
      mark: undefined,
      request: () => ({ systemPrompt: "", messages: [] }),
      signal: new AbortController().signal,
    });
    expect(new Set(asking)).toEqual(new Set(["nobody"]));
    expect(noted).toMatchObject([{ name: "memory-flushed", data: { wrote: false } }]);
  }
});
