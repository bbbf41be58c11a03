import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readPackages } from "./package-licence.ts";

describe("a package's licence", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "licensed-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const read = (manifest: object, files: Record<string, string> = {}) => {
    writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "a", version: "1.0.0", ...manifest }));
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    return readPackages(folder);
  };

  it("comes with every text that the package ships, and with no other file", () => {
    const files = { "NOTICE.md": "made by b\r\n", LICENSE: "\n  the text \n\n", "README.md": "no licence" };
    expect(read({ license: "ISC" }, files)).toEqual([
      { name: "a", version: "1.0.0", licence: "ISC", text: "  the text\n\nmade by b" },
    ]);
  });

  it.each([
    [{ license: "MIT", author: "Ann <ann@example.org>" }, "Ann <ann@example.org>"],
    [{ license: "MIT", author: { name: "Ann" } }, "Ann"],
    [{ license: "MIT" }, "the authors of a"],
  ])("is the standard text with the author where none is shipped: %j", (manifest, author) => {
    const [found] = read(manifest);
    expect(found?.text).toMatch(new RegExp(`^Copyright \\(c\\) ${author}\n\nMIT License\n`));
    expect(found?.text).toContain("THE SOFTWARE IS PROVIDED");
  });

  it.each([
    [{ license: { type: "ISC" } }, "ISC"],
    [{ licenses: [{ type: "MIT" }, { type: "Apache-2.0" }] }, "MIT OR Apache-2.0"],
    [{ license: "(MPL-2.0 OR Apache-2.0)" }, "(MPL-2.0 OR Apache-2.0)"],
    [{}, "MIT"],
  ])("is read in all its forms: %j", (manifest, licence) => {
    expect(read(manifest, { LICENSE: "The MIT License (MIT)\nCopyright …" })[0]?.licence).toBe(licence);
  });

  it("must be there, by name and as a text", () => {
    expect(() => read({ license: "BSD-4-Clause" })).toThrow("there is no standard text of BSD-4-Clause");
    expect(() => read({}, { LICENSE: "All rights reserved." })).toThrow("a 1.0.0 has no licence");
    expect(() => read({ license: "UNLICENSED" })).toThrow("a 1.0.0 has no licence");
    expect(() => read({ license: "SEE LICENSE IN x" })).toThrow("a 1.0.0 has no licence");
  });

  it("is told also of a package that is within another one", () => {
    const manifest = { name: "unpdf", license: "MIT", devDependencies: { "pdfjs-dist": "~6.1.200" } };
    expect(read(manifest)[1]).toMatchObject({
      name: "pdfjs-dist",
      version: "6.1.200",
      licence: "Apache-2.0",
    });
    expect(() => read({ name: "unpdf", license: "MIT" })).toThrow("no longer says which pdfjs-dist");
  });
});
