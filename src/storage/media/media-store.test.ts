import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import * as nodeFiles from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createHandClock } from "@pincer/sdk/testing";
import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createMediaStore, type MediaLimits } from "./media-store.ts";
import type { MediaFiles } from "./media-files.ts";

const dayMs = 24 * 60 * 60_000;
const roomy: MediaLimits = { maxFileBytes: 1000, maxBytes: 10_000, keepDays: 30 };
const plain = { mimeType: "text/plain" };

describe("the media store", () => {
  let root: string;
  let directory: string;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), "media-"));
    directory = join(root, "media");
  });
  afterEach(() => rm(root, { recursive: true }));

  const paths = async () =>
    (await readdir(directory, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort();
  function stage(limits: Partial<MediaLimits> = {}, files: Partial<MediaFiles> = {}) {
    const clock = createHandClock();
    const all = { ...roomy, ...limits };
    const media = createMediaStore({
      directory,
      clock,
      limits: () => all,
      files: { ...nodeFiles, ...files },
    });
    const store = (text: string) => media.store(Buffer.from(text), plain);
    const readable = async (attachment: { media: string }) =>
      media.read(attachment.media).then(
        () => true,
        () => false,
      );
    return { clock, media, store, readable, clean: () => media.clean({ now: clock.now() }) };
  }
  const fails = (code: string) => async (): Promise<never> => {
    throw Object.assign(new Error(code), { code });
  };

  it("STORE-09 keeps a file under what it holds, once, for its owner alone", async () => {
    const media = createMediaStore({ directory });
    const first = await media.store(Buffer.from("cat"), { mimeType: "text/csv", name: "../cat.csv" });
    const second = await media.store(Buffer.from("cat"), { mimeType: "image/png" });
    expect(first).toMatchObject({ kind: "file", mimeType: "text/csv", name: "cat.csv", sizeBytes: 3 });
    expect(first).not.toHaveProperty("claimedType");
    expect(first.media).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(second).toMatchObject({ kind: "file", mimeType: "text/plain", claimedType: "image/png" });
    expect(second.media).toBe(first.media);
    expect(Buffer.from(await media.read(first.media)).toString()).toBe("cat");
    const [file = "", ...more] = await paths();
    expect(more).toEqual([]);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(directory)).mode & 0o777).toBe(0o700);
  });

  it("STORE-09 gives back exactly what was stored", async () => {
    const { media } = stage();
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 500 }), fc.string(), async (content, mimeType) => {
        const attachment = await media.store(content, { mimeType });
        expect(Buffer.from(await media.read(attachment.media)).equals(content)).toBe(true);
        expect(attachment.sizeBytes).toBe(content.byteLength);
      }),
    );
  });

  it("refuses what is too large and keeps nothing of it", async () => {
    const { media } = stage();
    const largest = roomy.maxFileBytes;
    await expect(media.store(new Uint8Array(largest + 1), plain)).rejects.toMatchObject({
      code: "usage/bad-argument",
    });
    expect(await readdir(root)).toEqual([]);
    await expect(media.store(new Uint8Array(largest), plain)).resolves.toMatchObject({ sizeBytes: largest });
  });

  it("refuses what is larger than all files may be together", async () => {
    const { media } = stage({ maxBytes: 10 });
    await expect(media.store(new Uint8Array(11), plain)).rejects.toMatchObject({
      code: "usage/bad-argument",
    });
  });

  it("does not hand out what is not there, has another name, or was damaged", async () => {
    const { media, store } = stage();
    const { media: reference } = await store("cat");
    const [file = ""] = await paths();
    await writeFile(file, "dog");
    for (const bad of [reference, `sha256:${"0".repeat(64)}`, "sha256:../../etc/passwd", "cat"]) {
      await expect(media.read(bad)).rejects.toMatchObject({ code: "usage/not-found" });
    }
  });

  it("opens nothing for a reference that is none", async () => {
    const opened: unknown[] = [];
    const readFile = ((path: string) => {
      opened.push(path);
      return fails("ENOENT")();
    }) as MediaFiles["readFile"];
    const { media } = stage({}, { readFile });
    for (const bad of ["sha256:../../etc/passwd", "sha256:", "/etc/passwd", `sha256:${"A".repeat(64)}`, ""]) {
      await expect(media.read(bad)).rejects.toMatchObject({ code: "usage/not-found" });
    }
    expect(opened).toEqual([]);
  });

  it("mends a damaged file when it is sent again", async () => {
    const { store, readable } = stage();
    const attachment = await store("cat");
    const [file = ""] = await paths();
    await writeFile(file, "dog");
    await store("cat");
    expect(await readable(attachment)).toBe(true);
  });

  it("takes the same file from many at once", async () => {
    const { store, readable } = stage();
    const stored = await Promise.all(Array.from({ length: 20 }, () => store("cat")));
    expect(new Set(stored.map(({ media }) => media)).size).toBe(1);
    expect(await paths()).toHaveLength(1);
    expect(await readable(stored[0] ?? { media: "" })).toBe(true);
  });

  describe("of what comes piece by piece", () => {
    async function* inPieces(text: string, size = 3) {
      for (let at = 0; at < text.length; at += size) yield Buffer.from(text.slice(at, at + size));
    }
    const files = async () => ((await readdir(root)).length === 0 ? [] : paths());

    it("STORE-09 keeps the same as of what is there at once, under the same name", async () => {
      const { media, readable } = stage();
      const about = { mimeType: "text/csv", name: "../cat.csv" };
      const first = await media.receive(inPieces("a,b,cats"), about);
      expect(first).toEqual(await media.store(Buffer.from("a,b,cats"), about));
      expect(await media.receive(inPieces("a,b,cats", 1), about)).toEqual(first);
      expect(await readable(first)).toBe(true);
      const [file = "", ...more] = await paths();
      expect(more).toEqual([]);
      expect((await stat(file)).mode & 0o777).toBe(0o600);
      expect((await stat(file)).mtimeMs).toBe(stage().clock.now());
    });

    it("STORE-09 tells what it is by all of its bytes", async () => {
      const { media } = stage();
      await fc.assert(
        fc.asyncProperty(
          fc.uint8Array({ maxLength: 400 }),
          fc.integer({ min: 1, max: 90 }),
          async (bytes, size) => {
            async function* pieces() {
              for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
            }
            const about = { mimeType: "image/png" };
            expect(await media.receive(pieces(), about)).toEqual(await media.store(bytes, about));
          },
        ),
      );
    });

    it("stops at the first piece that is too much, and leaves nothing", async () => {
      const { media } = stage({ maxFileBytes: 10 });
      let asked = 0;
      async function* endless() {
        for (;;) {
          asked++;
          yield new Uint8Array(4);
        }
      }
      await expect(media.receive(endless(), plain)).rejects.toMatchObject({ code: "usage/bad-argument" });
      expect(asked).toBe(3);
      expect(await files()).toEqual([]);
    });

    it("leaves nothing of what broke off, or may not be kept", async () => {
      const { media } = stage();
      async function* broken() {
        yield Buffer.from("ca");
        throw new Error("broke off");
      }
      await expect(media.receive(broken(), plain)).rejects.toThrow("broke off");
      const sizes: number[] = [];
      const mayKeep = (size: number) => {
        sizes.push(size);
        throw new Error("too much for now");
      };
      await expect(media.receive(inPieces("cats"), { ...plain, mayKeep })).rejects.toThrow("for now");
      expect(sizes).toEqual([4]);
      expect(await files()).toEqual([]);
    });

    it.each([
      ["ENOSPC", "storage/full"],
      ["EIO", "storage/unavailable"],
    ])("says what to do when the disk answers %s, and leaves nothing behind", async (error, code) => {
      const open: MediaFiles["open"] = async (...given) =>
        Object.assign(await nodeFiles.open(...given), { writeFile: fails(error) });
      await expect(stage({}, { open }).media.receive(inPieces("cat"), plain)).rejects.toMatchObject({ code });
      const rename = stage({}, { rename: fails(error) }).media;
      await expect(rename.receive(inPieces("cat"), plain)).rejects.toMatchObject({ code });
      expect(await files()).toEqual([]);
    });

    it("what a crash left of it is cleaned away like every other leftover", async () => {
      const { media, clock, clean } = stage();
      const held = Promise.withResolvers<void>();
      const begun = Promise.withResolvers<void>();
      async function* slow() {
        yield Buffer.from("ca");
        begun.resolve();
        await held.promise;
        throw new Error("crash");
      }
      const receiving = media.receive(slow(), plain).catch(() => undefined);
      await begun.promise;
      const [file = ""] = await paths();
      const long = new Date(clock.now() - 2 * 60 * 60_000);
      await utimes(file, long, long);
      expect(await clean()).toMatchObject({ leftovers: 1, kept: 0 });
      expect(await files()).toEqual([]);
      held.resolve();
      await receiving;
    });

    it("mends a damaged file", async () => {
      const { media, store, readable } = stage();
      const attachment = await store("cat");
      const [file = ""] = await paths();
      await writeFile(file, "dog");
      await media.receive(inPieces("cat"), plain);
      expect(await readable(attachment)).toBe(true);
      expect(await paths()).toEqual([file]);
    });
  });

  it.each([
    ["ENOSPC", "storage/full"],
    ["EIO", "storage/unavailable"],
  ])("says what to do when the disk answers %s, and leaves nothing behind", async (error, code) => {
    const open: MediaFiles["open"] = async (...given) => {
      const handle = await nodeFiles.open(...given);
      return Object.assign(handle, { writeFile: fails(error) });
    };
    const { store } = stage({}, { open });
    await expect(store("cat")).rejects.toMatchObject({ code, hint: expect.stringMatching(/./) as string });
    expect(await paths()).toEqual([]);
  });

  describe("cleaned", () => {
    it("STORE-09 loses what nobody used for as long as the config says, and nothing else", async () => {
      const { clock, store, readable, clean } = stage();
      const old = await store("old");
      await clock.advance(20 * dayMs);
      const young = await store("young");
      await clock.advance(10 * dayMs);
      expect(await clean()).toMatchObject({ removed: 0, kept: 2 });
      await clock.advance(1);
      expect(await clean()).toEqual({
        removed: 1,
        removedBytes: 3,
        leftovers: 0,
        kept: 1,
        keptBytes: 5,
        failed: 0,
      });
      expect(await readable(old)).toBe(false);
      expect(await readable(young)).toBe(true);
    });

    it("keeps what was sent again or looked at meanwhile", async () => {
      const { clock, media, store, clean } = stage();
      await store("sent again");
      const seen = await store("looked at");
      await store("forgotten");
      await clock.advance(20 * dayMs);
      await store("sent again");
      await media.read(seen.media);
      await clock.advance(15 * dayMs);
      expect(await clean()).toMatchObject({ removed: 1, kept: 2 });
      const contents = await Promise.all((await paths()).map((file) => readFile(file, "utf8")));
      expect(contents.sort()).toEqual(["looked at", "sent again"]);
    });

    it("STORE-09 loses the oldest as soon as all together are too many, never the one that comes", async () => {
      const { clock, store, readable } = stage({ maxBytes: 10 });
      const first = await store("1111");
      await clock.advance(1000);
      const second = await store("2222");
      await clock.advance(1000);
      const third = await store("333");
      expect(await Promise.all([first, second, third].map(readable))).toEqual([false, true, true]);
      await clock.advance(-10_000);
      const late = await store("55555555");
      expect(await Promise.all([second, third, late].map(readable))).toEqual([false, false, true]);
    });

    it("STORE-09 makes room for more than the one that comes, so that not every file looks at all the others", async () => {
      let lists = 0;
      const readdir = ((...args: Parameters<typeof nodeFiles.readdir>) => {
        if (args[0] === directory) lists++;
        return nodeFiles.readdir(...args);
      }) as MediaFiles["readdir"];
      const { clock, store, clean } = stage({ maxBytes: 1000 }, { readdir });
      for (let number = 100; number < 200; number++) {
        await clock.advance(1000);
        await store(`${number}`.repeat(7).slice(0, 20));
      }
      const counted = lists;
      const { keptBytes } = await clean();
      expect(keptBytes).toBeGreaterThan(880);
      expect(keptBytes).toBeLessThanOrEqual(1000);
      // Once to count, then once for each tenth of what may be kept.
      expect(counted).toBeLessThanOrEqual(13);
    });

    it("takes away what interrupted writes have left, but not what is being written", async () => {
      const { clock, store, clean } = stage();
      await store("cat");
      const [file = ""] = await paths();
      const at = (ms: number) => new Date(clock.now() - ms);
      await writeFile(`${file}.00aa.tmp`, "ca");
      await utimes(`${file}.00aa.tmp`, at(2 * 60 * 60_000), at(2 * 60 * 60_000));
      await writeFile(`${file}.00bb.tmp`, "ca");
      await utimes(`${file}.00bb.tmp`, at(60_000), at(60_000));
      await writeFile(join(directory, "notes.txt"), "not ours");
      expect(await clean()).toMatchObject({ leftovers: 1, removed: 0, kept: 1, keptBytes: 3 });
      expect(await paths()).toEqual([file, `${file}.00bb.tmp`, join(directory, "notes.txt")].sort());
    });

    it("does nothing where nothing was ever kept", async () => {
      expect(await stage().clean()).toMatchObject({ removed: 0, kept: 0, failed: 0 });
    });

    it("goes on after a file that cannot be removed, and tells", async () => {
      const broken = new Set<string>();
      const unlink: MediaFiles["unlink"] = async (path) => {
        if (broken.size < 1 || broken.has(String(path))) {
          broken.add(String(path));
          return fails("EIO")();
        }
        return nodeFiles.unlink(path);
      };
      const { clock, store, clean } = stage({}, { unlink });
      await store("one");
      await clock.advance(1);
      await store("two");
      await clock.advance(40 * dayMs);
      expect(await clean()).toMatchObject({ removed: 1, failed: 1, firstError: { code: "EIO" } });
      await clock.advance(dayMs);
      // What could not be removed has lost its name already: nobody is handed half of it.
      expect(await clean()).toMatchObject({ removed: 0, kept: 0, leftovers: 0, failed: 1 });
    });

    it("keeps a file that is sent again at the moment at which it would go", async () => {
      const stageOf: { again?: () => Promise<unknown> } = {};
      const rename: MediaFiles["rename"] = async (from, to) => {
        const again = stageOf.again;
        delete stageOf.again;
        await again?.();
        await nodeFiles.rename(from, to);
      };
      const { clock, store, readable, clean } = stage({}, { rename });
      const attachment = await store("cat");
      await clock.advance(40 * dayMs);
      stageOf.again = () => store("cat");
      expect(await clean()).toMatchObject({ removed: 0, kept: 1 });
      expect(await readable(attachment)).toBe(true);
      expect(await paths()).toHaveLength(1);
    });

    it("keeps what is stored while it cleans, in whichever order things happen", async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(fc.nat(4), { minLength: 1, maxLength: 12 }), async (numbers) => {
          const { clock, store, readable, clean } = stage();
          await Promise.all([0, 1, 2, 3, 4].map((number) => store(`file ${number}`)));
          await clock.advance(40 * dayMs);
          const [, ...stored] = await Promise.all([
            clean(),
            ...numbers.map((number) => store(`file ${number}`)),
          ]);
          expect(await Promise.all(stored.map(readable))).toEqual(stored.map(() => true));
        }),
        { numRuns: 50 },
      );
    });

    it("STORE-09 answers for a file that was cleaned away with words that help", async () => {
      const { clock, media, store, clean } = stage();
      const { media: reference } = await store("cat");
      await clock.advance(40 * dayMs);
      await clean();
      await expect(media.read(reference)).rejects.toMatchObject({
        code: "usage/not-found",
        hint: "It may have been deleted; send it again.",
      });
    });
  });
});
