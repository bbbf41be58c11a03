import { mkdtemp, open, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readFilePart } from "./read-file-part.ts";

let base: string;
beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), "pincer-read-part-"));
});
afterAll(() => rm(base, { recursive: true, force: true }));

async function partOf(content: Buffer) {
  const file = join(base, "file");
  await writeFile(file, content);
  return readFilePart(await open(file), "file", { line: 1, maxBytes: 1000 }, { real: file, realRoot: base });
}
const latin = (text: string) => Buffer.from(text, "latin1");

describe("a part of a file", () => {
  it.each([
    ["image/gif", "GIF87a\x01\0\x01\0"],
    ["image/gif", "GIF89a\x01\0\x01\0"],
    ["image/png", "\x89PNG\r\n\x1a\n\0\0\0\rIHDR"],
    ["image/jpeg", "\xff\xd8\xff\xe0\0\x10JFIF"],
    ["image/webp", "RIFF\x24\0\0\0WEBPVP8 "],
  ])("is a picture of type %s where it begins like one: %j", async (mimeType, start) => {
    expect(await partOf(latin(start))).toMatchObject({ type: "image", mimeType });
  });

  it.each([
    "GIFTS for everybody\n",
    "GIF88a\n",
    "GIF89",
    "PNG is a format\n",
    "RIFF, they said\n",
    "RIFFWEBP and more of it\n",
    "a GIF89a\n",
  ])("is text where it only begins a little like one: %j", async (text) => {
    expect(await partOf(Buffer.from(text))).toMatchObject({ type: "text", text });
  });

  it.each(["GIFTS\0", "RIFF\x24\0\0\0WAVEfmt ", "\x89PNG\r\n\0"])(
    "is binary where it is neither: %j",
    async (start) => {
      expect(await partOf(latin(start))).toMatchObject({ type: "binary" });
    },
  );
});
