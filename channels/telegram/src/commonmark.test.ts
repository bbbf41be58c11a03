import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { renderHtml } from "./render-html.ts";
import { readHtml } from "./testing/read-html.ts";

const file = new URL("../../../packages/sdk/src/markdown/fixtures/commonmark-examples.json", import.meta.url);
const { examples } = JSON.parse(readFileSync(file, "utf8")) as { examples: string[] };

it("CHAN-25 every example of CommonMark is HTML that Telegram reads", () => {
  const unreadable = examples.filter((markdown) => {
    const { html, length } = renderHtml(markdown);
    const read = readHtml(html);
    return !read.ok || read.text.length !== length;
  });
  expect(examples).toHaveLength(655);
  expect(unreadable).toEqual([]);
});
