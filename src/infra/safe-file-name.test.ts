import { dirname, join, resolve, win32 } from "node:path";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { safeFileName } from "./safe-file-name.ts";

/** The same name, as a file system that ignores case and normalises Unicode sees it. */
const folded = (name: string) => name.normalize("NFKD").toUpperCase().toLowerCase();

const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 60 }),
  fc.string({
    unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
    maxLength: 60,
  }),
  fc.string({
    unit: fc.constantFrom(
      "a",
      "A",
      "=",
      "4",
      "1",
      ".",
      "u",
      "é",
      "e\u0301",
      "中",
      "ß",
      "ss",
      "\ud800",
      "-",
      " ",
    ),
    maxLength: 12,
  }),
  fc.constantFrom(
    "con",
    "CON",
    "con.txt",
    "com1",
    "LPT9.jsonl",
    "nul",
    "..",
    ".",
    "../../etc/passwd",
    "C:\\x",
    "a/b",
    "~",
    "-rf",
    "aux.",
  ),
  fc.string({ unit: "grapheme", minLength: 50, maxLength: 300 }),
);

it("ROUTE-13 stays inside the directory, whatever the text", () => {
  fc.assert(
    fc.property(text, (text) => {
      const name = safeFileName(text);
      expect(dirname(resolve(join("/home/sessions", name)))).toBe("/home/sessions");
      expect(win32.dirname(win32.resolve(win32.join("C:\\sessions", name)))).toBe("C:\\sessions");
    }),
    { numRuns: 3000 },
  );
});

it("ROUTE-13 is a name that every file system takes", () => {
  fc.assert(
    fc.property(text, (text) => {
      const name = safeFileName(text);
      expect(Buffer.byteLength(name)).toBeLessThanOrEqual(120);
      expect(name.isWellFormed()).toBe(true);
      expect(name).toMatch(/^[^\p{Cc}\s<>:"/\\|?*.-][^\p{Cc}\s<>:"/\\|?*]*$/u);
      expect(name).not.toMatch(/\.$/);
      expect(name).not.toMatch(/^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i);
    }),
    { numRuns: 3000 },
  );
});

it("ROUTE-13 gives different texts different names, also where case and normalisation do not count", () => {
  fc.assert(
    fc.property(fc.array(text, { minLength: 2, maxLength: 20 }), (texts) => {
      const distinct = new Set(texts);
      expect(new Set(Array.from(distinct, (text) => folded(safeFileName(text)))).size).toBe(distinct.size);
    }),
    { numRuns: 2000 },
  );
});

it("ROUTE-13 tells long texts apart that differ only at their end", () => {
  const long = "很长的名字".repeat(40);
  expect(safeFileName(`${long}1`)).not.toBe(safeFileName(`${long}2`));
});

it("ROUTE-13 leaves plain names and Chinese ones readable", () => {
  expect(safeFileName("s_01jabc-9")).toBe("s_01jabc-9");
  expect(safeFileName("photo.2.jpg")).toBe("photo.2.jpg");
  expect(safeFileName("我的项目")).toBe("我的项目");
  expect(safeFileName("agent:main:dm:42")).toBe("agent=3amain=3adm=3a42");
  expect(safeFileName("Ab")).toBe("=41b");
  expect(safeFileName("nul")).toBe("=6eul");
  expect(safeFileName("")).toBe("=");
});
