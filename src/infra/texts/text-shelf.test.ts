import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createTextShelf } from "./text-shelf.ts";

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "pincer-texts-"))));
afterEach(() => rmSync(folder, { recursive: true }));

const first = JSON.stringify({ "first.one": "\u4e00", "first.one.more": "1+" });
const second = JSON.stringify({ "second.two": "2" });
const parts = {
  first: [0, Buffer.byteLength(first)],
  second: [Buffer.byteLength(first) + 1, Buffer.byteLength(second)],
} as const;

function shelf() {
  const path = join(folder, "texts.json");
  writeFileSync(path, `${first}\n${second}\n`);
  return createTextShelf({ file: pathToFileURL(path), parts });
}

describe("texts in a file", () => {
  it("are found by their keys, whatever characters stand before them", () => {
    const { find } = shelf();
    expect([find("second.two"), find("first.one"), find("first.one.more")]).toEqual(["2", "\u4e00", "1+"]);
  });

  it("are read once, part by part", () => {
    const { find } = shelf();
    find("first.one");
    rmSync(join(folder, "texts.json"));
    expect(find("first.one.more")).toBe("1+");
    expect(() => find("second.two")).toThrow("ENOENT");
  });

  it("are named when they are not there", () => {
    const { find } = shelf();
    expect(() => find("first.none")).toThrow("there is no text first.none");
    expect(() => find("third.none")).toThrow("there is no text third.none");
  });
});
