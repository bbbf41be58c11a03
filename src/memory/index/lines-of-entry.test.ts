import { type MessageEntry, noUsage } from "@pincer/sdk";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cutIntoParts } from "./cut-into-parts.ts";
import { linesOfEntry } from "./lines-of-entry.ts";

const time = "2026-11-15T20:00:00.000Z";
const user = (text: string): MessageEntry => ({
  type: "message",
  seq: 7,
  time,
  message: { role: "user", content: [{ type: "text", text }] },
});

describe("the lines of a message", () => {
  it("MEM-07 are what a person wrote, with its number, its time and the label of the session", () => {
    expect(linesOfEntry(user("The boat leaks"), { label: "telegram:42" })).toEqual([
      { line: 7, text: "The boat leaks", time: "2026-11-15T20:00:00Z", label: "telegram:42" },
    ]);
    expect(linesOfEntry(user("late"), { timezone: "Asia/Shanghai" })[0]?.time).toBe(
      "2026-11-16T04:00:00+08:00",
    );
  });

  it("MEM-07 are what the assistant said, neither what it thought nor what it did", () => {
    const entry: MessageEntry = {
      type: "message",
      seq: 8,
      time,
      message: {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "secret thoughts" },
          { type: "text", text: "Caulk the seams." },
          { type: "toolCall", id: "1", name: "shell", arguments: { command: "ls" } },
        ],
        provider: "p",
        model: "m",
        usage: noUsage(),
        stopReason: "stop",
      },
    };
    expect(linesOfEntry(entry, {})).toEqual([
      { line: 8, text: "Caulk the seams.", who: "assistant", time: "2026-11-15T20:00:00Z" },
    ]);
  });

  it("MEM-07 are none of a tool's result or of an empty message", () => {
    const result = {
      role: "toolResult",
      content: [{ type: "text", text: "files" }],
    } as MessageEntry["message"];
    expect(linesOfEntry({ ...user(""), message: result }, {})).toEqual([]);
    expect(linesOfEntry(user("  \n"), {})).toEqual([]);
  });

  it("MEM-07 know who speaks in a group, and what was said there before", () => {
    expect(linesOfEntry(user("Ann Lee (42): who has the key?"), { isGroup: true })).toMatchObject([
      { who: "Ann Lee", text: "who has the key?" },
    ]);
    expect(linesOfEntry(user('"Ann: the boss" (42): hi'), { isGroup: true })).toMatchObject([
      { who: "Ann: the boss", text: "hi" },
    ]);
    const before = "Said in the group before, not to you:\nAnn (42): I have it\nBob (43): no, I do";
    expect(linesOfEntry(user(before), { isGroup: true })).toMatchObject([
      { line: 7, who: "Ann", text: "I have it" },
      { line: 7, who: "Bob", text: "no, I do" },
    ]);
  });

  it("MEM-07 are parts of at most 1,000 characters that share the number", () => {
    const paragraph = `${"All work and no play. ".repeat(30).trim()}`;
    const parts = linesOfEntry(user(`Ann (1): ${paragraph}\n\n${paragraph}`), { isGroup: true });
    expect(parts.map(({ text }) => text)).toEqual([paragraph, paragraph]);
    expect(parts.map(({ line, who }) => [line, who])).toEqual([
      [7, "Ann"],
      [7, "Ann"],
    ]);
  });
});

describe("cutting a text into parts", () => {
  it("loses nothing but white space, and keeps to the limit", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b.", " ", "\n", "。", "猫", "😀"), maxLength: 300 });
    fc.assert(
      fc.property(text, fc.integer({ min: 4, max: 50 }), (whole, most) => {
        const parts = cutIntoParts(whole, most);
        for (const part of parts) {
          expect(part.length).toBeLessThanOrEqual(most);
          expect(part.isWellFormed()).toBe(true);
        }
        expect(parts.join("").replaceAll(/\s/g, "")).toBe(whole.replaceAll(/\s/g, ""));
      }),
    );
  });
});
