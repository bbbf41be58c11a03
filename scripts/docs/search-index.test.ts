import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { createSearch } from "../../web/src/docs/search.ts";
import { makeSearchIndex } from "./search-index.ts";
import { renderDocs } from "./render-docs.ts";

const page = (title: string, sections: Record<string, string>) => ({
  address: `/docs/${title.toLowerCase()}`,
  title,
  group: "Guides",
  sections: [
    { id: "", heading: title, depth: 1, text: "" },
    ...Object.entries(sections).map(([heading, text]) => ({
      id: heading.toLowerCase(),
      heading,
      depth: 2,
      text,
    })),
  ],
});
const small = createSearch(
  makeSearchIndex([
    page("Models", {
      Fallbacks: "When a provider fails, the next model answers.",
      Money: "limits of cost per day 18650",
    }),
    page("Memory", { Notes: "A note for each day. Models read it. 备忘录 constructor" }),
  ]),
);
const addresses = (query: string) => small(query).map(({ address }) => address);

describe("the search of the documentation", () => {
  it("finds a section by its words, the heading before the text", () => {
    expect(addresses("fallback")).toEqual(["/docs/models#fallbacks"]);
    expect(addresses("model")[0]).toBe("/docs/models");
  });

  it("finds what is still being typed, and numbers", () => {
    expect(addresses("fallb")).toEqual(["/docs/models#fallbacks"]);
    expect(addresses("186")).toEqual(["/docs/models#money"]);
  });

  it("puts sections with all of the words before those with some", () => {
    expect(addresses("day cost")[0]).toBe("/docs/models#money");
  });

  it("finds Chinese text, and English pages by Chinese words", () => {
    expect(addresses("备忘录")).toEqual(["/docs/memory#notes"]);
    expect(addresses("模型")[0]).toBe("/docs/models");
    expect(addresses("怎么配置模型")[0]).toBe("/docs/models");
  });

  it.each(["", "   ", "zzzzzz", "constructorx __proto__", "\u0000", "%"])("finds nothing for %j", (query) => {
    expect(small(query)).toEqual([]);
  });

  it("takes a question of any length", () => {
    expect(small("model ".repeat(10_000)).length).toBeGreaterThan(0);
  });

  it.each([
    ["telegram", "/docs/telegram"],
    ["backup restore", "/docs/operations"],
    ["quick start", "/docs/quick-start"],
    ["add a channel", "/docs/adding-a-channel"],
    ["审批", "/docs/approvals"],
    ["沙箱", "/docs/sandbox"],
    ["glossary", "/docs/glossary"],
  ])("finds the page about %s among the first", (query, address) => {
    const { pages } = renderDocs(join(fileURLToPath(new URL("../..", import.meta.url)), "docs"));
    const hits = createSearch(makeSearchIndex(pages))(query, 4);
    expect(hits.map((hit) => hit.address.split("#")[0])).toContain(address);
  });
});
