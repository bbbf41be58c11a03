import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { linesOfFile } from "../../../src/memory/index/lines-of-file.ts";
import type { BenchDoc } from "./bench-set.ts";
import { collectionFiles } from "./collection-files.ts";

const filesOf = (docs: BenchDoc[]) => Object.fromEntries(collectionFiles({ name: "mine", docs }).files);

describe("the documents of a collection", () => {
  it("become a dated file for each session, with the date and time above and a line for each", () => {
    const said = { session: "1", date: "2023-05-08T13:56" };
    expect(
      filesOf([
        { id: "a", text: "Hey!\n How are you?", speaker: "Ada", ...said },
        { id: "b", text: "Fine.", speaker: "Bob", ...said },
        { id: "c", text: "Late again.", session: "2", date: "2023-05-25" },
      ]),
    ).toEqual({
      "memory/2023-05-08.md": ["# 2023-05-08 13:56", "", "Ada: Hey! How are you?", "Bob: Fine."],
      "memory/2023-05-25.md": ["# 2023-05-25", "", "Late again."],
    });
  });

  it("are named for the session where two share a day or one has none, and for the collection without any", () => {
    expect(
      Object.keys(
        filesOf([
          { id: "a", text: "x", session: "am", date: "2023-05-08T09:00" },
          { id: "b", text: "x", session: "pm", date: "2023-05-08T19:00" },
          { id: "c", text: "x", session: "../etc", date: null },
          { id: "d", text: "x" },
        ]),
      ),
    ).toEqual(["memory/am.md", "memory/pm.md", "memory/=2e.=2fetc.md", "memory/mine.md"]);
  });

  it("stand without a heading where they have neither session nor date, and under a new one when the day changes", () => {
    expect(filesOf([{ id: "a", text: "一" }])).toEqual({ "memory/mine.md": ["一"] });
    const session = "s";
    expect(
      filesOf([
        { id: "a", text: "one", session, date: "2023-05-08" },
        { id: "b", text: "two", session, date: "2023-05-09" },
      ]),
    ).toEqual({ "memory/s.md": ["# 2023-05-08", "", "one", "", "# 2023-05-09", "", "two"] });
  });

  it("are all indexed, whatever they look like, and none changes what others are", () => {
    const odd = [
      ..."---|```js|~~~|<!-- a comment -->|<!-- untrusted: ada -->|words <!-- untrusted: ada -->".split("|"),
      ..."# Plans|## 2020-01-01|2020-01-01|13:45|===|***|> ```|#|# |1.|-|\u0000".split("|"),
    ];
    const plain = ["Ada likes tea", "- a list", "Bob: 9 am", "> quoted"];
    const date = "2023-05-08";
    const docs = [...odd, ...plain, ...odd, ...plain].map((text, at) => ({ id: `d${at}`, text, date }));
    const { files, docAt, lineAt } = collectionFiles({ name: "mine", docs });
    const [[path, lines] = ["", []]] = files;
    const found = linesOfFile({ path: "memory/mine.md", text: lines.join("\n"), timezone: "UTC" });
    expect(found.map(({ line }) => docAt(path, line))).toEqual(docs.map(({ id }) => id));
    for (const { time, label, text } of found) {
      expect(time?.slice(0, 10)).toBe(date);
      expect(label).toBeUndefined();
      expect(text).not.toBe("");
    }
    // Ordinary ones are written as they are, and what is added counts for nothing.
    for (const text of plain) expect(lines).toContain(text);
    const [first] = found;
    expect(lineAt(path, first?.line ?? 0)).toBe("---");
  });

  it("are divided among files that are not too large to be indexed, each with its date", () => {
    const many = Array.from({ length: 40_001 }, (_, at) => ({ id: `d${at}`, text: "x", session: "s" }));
    const dated = many.map((doc) => ({ ...doc, date: "2023-05-08" }));
    const { files, docAt } = collectionFiles({ name: "mine", docs: dated });
    expect([...files.keys()]).toEqual(["memory/2023-05-08.md", "memory/2023-05-08-2.md"]);
    expect(files.get("memory/2023-05-08-2.md")).toEqual(["# 2023-05-08", "", "x", "x", "x"]);
    expect(docAt("memory/2023-05-08-2.md", 5)).toBe("d40000");
    const long = "long words ".repeat(90_000);
    const large = collectionFiles({
      name: "mine",
      docs: many.slice(0, 5).map((doc) => ({ ...doc, text: long })),
    });
    const sizes = [...large.files.values()].map((lines) => Buffer.byteLength(lines.join("\n")));
    expect(sizes).toHaveLength(2);
    expect(Math.max(...sizes)).toBeLessThan(4 * 1024 * 1024);
  });

  it("are each found again at one place, whatever they are", () => {
    const word = fc.string({ minLength: 1 }).filter((text) => text.trim() !== "");
    const doc = fc.record({
      text: word,
      session: fc.option(fc.constantFrom("1", "2", "A", "a", "2023-05-08")),
      date: fc.option(fc.constantFrom("2023-05-08", "2023-05-08T10:00", "2023-06-01")),
      speaker: fc.option(word),
    });
    fc.assert(
      fc.property(fc.array(doc, { minLength: 1 }), (fields) => {
        const docs = fields.map((each, at) => ({ id: `d${at}`, ...each }));
        const { files, docAt, lineAt } = collectionFiles({ name: "mine", docs });
        const found = [...files].flatMap(([path, lines]) =>
          lines.flatMap((line, at) => {
            const id = docAt(path, at + 1);
            expect(line.endsWith(lineAt(path, at + 1)) || line.includes("<! --")).toBe(true);
            expect(line).not.toMatch(/[\r\n]/);
            return id === undefined ? [] : [id];
          }),
        );
        expect(found.toSorted()).toEqual(docs.map(({ id }) => id).toSorted());
      }),
    );
  });
});
