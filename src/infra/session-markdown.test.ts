import type { Entry } from "@pincer/sdk";
import { expect, it } from "vitest";
import { beginMarkdown } from "./session-markdown.ts";

const time = "2026-01-01T12:00:00.000Z";
const said = (seq: number, text: string): Entry => ({
  type: "message",
  message: { role: "user", content: [{ type: "text", text }] },
  seq,
  time,
});
const aside = (seq: number, from: unknown): Entry => ({
  type: "event",
  name: "set-aside",
  data: { from },
  seq,
  time,
});

it("SESS-09 says how many messages above were superseded, and nothing if none was", () => {
  const write = beginMarkdown((text) => text.toUpperCase());
  const entries = [said(2, "one"), said(3, "two"), said(4, ""), aside(5, 3), aside(6, 99), aside(7, "x")];
  expect(entries.map(write)).toEqual([
    `## user · ${time}\n\nONE\n\n`,
    `## user · ${time}\n\nTWO\n\n`,
    "",
    "> Superseded messages above, not shown to the model: 1\n\n",
    "",
    "",
  ]);
});

it("says where an entry is lost", () => {
  const lost: Entry = { type: "event", name: "entry-lost", data: {}, seq: 2, time };
  expect(beginMarkdown()(lost)).toBe("> A damaged disk has lost an entry here.\n\n");
});
