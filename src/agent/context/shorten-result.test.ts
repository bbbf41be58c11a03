import { textOf, type ToolResultMessage } from "@pincer/sdk";
import { describe, expect, it } from "vitest";
import { removeLongResult, removeResult, shortenResult, trimResult } from "./shorten-result.ts";
import { result } from "./testing/session-said.ts";

const of = (text: string) => result("c", text) as ToolResultMessage;
const long = of(`${"h".repeat(30_000)}${"t".repeat(30_000)}`);
const image = { type: "image" as const, media: "m", mimeType: "image/png" };

describe("a long tool result", () => {
  it("is shown by head and tail, with the handle of the whole", () => {
    const text = textOf(shortenResult(long, 123, 10_000));
    const [head = "", line, tail = ""] = text.split("\n");
    expect(text.length).toBeLessThanOrEqual(10_000);
    expect(line).toMatch(/^\[… 50,\d{3} of 60,000 characters left out; the whole is r123: result_read\]$/);
    expect(head.length / (head.length + tail.length)).toBeCloseTo(0.7, 2);
    expect(head + tail).toMatch(/^h+t+$/);
  });

  it("is the same object where it is short enough", () => {
    expect(shortenResult(long, 123, 60_000)).toBe(long);
    expect(trimResult(of("x".repeat(4000)), 1)).toEqual(of("x".repeat(4000)));
    const short = of("x".repeat(200));
    expect(removeLongResult(short, 1)).toBe(short);
  });

  it("keeps its images, and what it says of its outcome", () => {
    const both: ToolResultMessage = { ...long, isError: true, content: [image, ...long.content] };
    const shown = shortenResult(both, 7, 1000);
    expect(shown.content.map(({ type }) => type)).toEqual(["text", "image"]);
    expect(shown.isError).toBe(true);
  });

  it("COMP-18 is trimmed to its first and last 1,500 characters once it is old", () => {
    const [head, line, tail] = textOf(trimResult(long, 9)).split("\n");
    expect([head, tail]).toEqual(["h".repeat(1500), "t".repeat(1500)]);
    expect(line).toContain("r9: result_read");
  });

  it("leaves nothing but its handle where it is removed", () => {
    expect(textOf(removeResult(long, 123))).toBe("[old tool result removed; the whole is r123: result_read]");
    expect(removeLongResult(long, 123)).toEqual(removeResult(long, 123));
  });
});
