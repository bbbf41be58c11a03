import { mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createMediaStore, largestMediaBytes } from "./media-store.ts";

describe("the media store", () => {
  let root: string;
  let directory: string;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), "media-"));
    directory = join(root, "media");
  });
  afterEach(() => rm(root, { recursive: true }));
  const files = async () =>
    (await readdir(directory, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());

  it("keeps a file under what it holds, once, for its owner alone", async () => {
    const media = createMediaStore({ directory });
    const first = await media.store(Buffer.from("cat"), { mimeType: "image/png", name: "cat.png" });
    const second = await media.store(Buffer.from("cat"), { mimeType: "text/plain" });
    expect(first).toMatchObject({ kind: "image", name: "cat.png", sizeBytes: 3 });
    expect(first.media).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(second).toMatchObject({ kind: "file", media: first.media });
    expect(Buffer.from(await media.read(first.media)).toString()).toBe("cat");
    const [file, ...more] = await files();
    expect(more).toEqual([]);
    const path = join(file?.parentPath ?? "", file?.name ?? "");
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(directory)).mode & 0o777).toBe(0o700);
  });

  it("refuses what is too large and keeps nothing of it", async () => {
    const media = createMediaStore({ directory });
    const storing = media.store(new Uint8Array(largestMediaBytes + 1), { mimeType: "video/mp4" });
    await expect(storing).rejects.toMatchObject({ code: "usage/bad-argument" });
    expect(await readdir(root)).toEqual([]);
  });

  it("does not hand out what is not there, has another name, or was damaged", async () => {
    const media = createMediaStore({ directory });
    const { media: reference } = await media.store(Buffer.from("cat"), { mimeType: "image/png" });
    const [file] = await files();
    await writeFile(join(file?.parentPath ?? "", file?.name ?? ""), "dog");
    for (const bad of [reference, `sha256:${"0".repeat(64)}`, "sha256:../../etc/passwd", "cat"]) {
      await expect(media.read(bad)).rejects.toMatchObject({ code: "usage/not-found" });
    }
  });
});
