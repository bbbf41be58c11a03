import {
  link,
  lstat,
  mkdir,
  open,
  readFile,
  readdir,
  rename,
  stat,
  symlink,
  unlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { expect, it } from "vitest";
import { createTemporaryHome } from "./testing/temporary-home.ts";
import { createPrivateFile, replacePrivateFile, type Disk } from "./write-private-file.ts";

/** The real disk, which remembers in which order it was asked what. */
function createListeningDisk(broken: Partial<Record<"sync" | "rename", Error>> = {}) {
  const steps: string[] = [];
  const named = (path: string) => (path.endsWith(".tmp") ? "temporary" : basename(path));
  const disk: Disk = {
    async open(path, flags, mode) {
      const file = await open(path, flags, mode);
      return {
        async writeFile(text) {
          steps.push(`write ${named(path)}`);
          await file.writeFile(text);
        },
        async sync() {
          steps.push(`sync ${named(path)}`);
          if (broken.sync) throw broken.sync;
          await file.sync();
        },
        async close() {
          steps.push(`close ${named(path)}`);
          await file.close();
        },
      };
    },
    async rename(from, to) {
      steps.push(`rename ${named(from)} to ${named(to)}`);
      if (broken.rename) throw broken.rename;
      await rename(from, to);
    },
    async link(from, to) {
      steps.push(`link ${named(from)} to ${named(to)}`);
      await link(from, to);
    },
    async unlink(path) {
      steps.push(`unlink ${named(path)}`);
      await unlink(path);
    },
  };
  return { disk, steps };
}

const place = async () => join((await createTemporaryHome()).root, "inner", "file");

it("has the text on the disk before the name points to it, and the name before it says so", async () => {
  const file = await place();
  const { disk, steps } = createListeningDisk();
  await replacePrivateFile(file, "old", disk);
  steps.length = 0;
  await replacePrivateFile(file, "new", disk);
  expect(steps).toEqual([
    "write temporary",
    "sync temporary",
    "close temporary",
    "rename temporary to file",
    "sync inner",
    "close inner",
  ]);
  expect(await readFile(file, "utf8")).toBe("new");
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

it("creates a file in the same order, and leaves one alone that is there", async () => {
  const file = await place();
  const { disk, steps } = createListeningDisk();
  expect(await createPrivateFile(file, "first", disk)).toBe(true);
  expect(steps).toEqual([
    "write temporary",
    "sync temporary",
    "close temporary",
    "link temporary to file",
    "unlink temporary",
    "sync inner",
    "close inner",
  ]);
  expect(await createPrivateFile(file, "second", disk)).toBe(false);
  expect(await readFile(file, "utf8")).toBe("first");
  expect(await readdir(dirname(file))).toEqual(["file"]);
});

it.each(["sync", "rename"] as const)("leaves the old text whole when %s fails", async (step) => {
  const file = await place();
  await replacePrivateFile(file, "old");
  const { disk } = createListeningDisk({ [step]: new Error("the disk is full") });
  await expect(replacePrivateFile(file, "new", disk)).rejects.toThrow("the disk is full");
  expect(await readFile(file, "utf8")).toBe("old");
  expect(await readdir(dirname(file))).toEqual(["file"]);
});

it("follows a link and leaves it one", async () => {
  const { root } = await createTemporaryHome();
  await mkdir(join(root, "elsewhere"));
  const [file, target] = [join(root, "file"), join(root, "elsewhere", "target")];
  await writeFile(target, "old");
  await symlink(target, file);
  await replacePrivateFile(file, "new");
  expect((await lstat(file)).isSymbolicLink()).toBe(true);
  expect(await readFile(target, "utf8")).toBe("new");
  expect(await readdir(dirname(target))).toEqual(["target"]);
});

it.each(["nowhere", "file"])("refuses a link to %s that leads nowhere, in words", async (target) => {
  const { root } = await createTemporaryHome();
  const file = join(root, "file");
  await symlink(join(root, target), file);
  await expect(replacePrivateFile(file, "new")).rejects.toThrow(
    expect.objectContaining({ code: "storage/unavailable", hint: expect.stringContaining("link") }),
  );
  expect(await readdir(root)).toEqual(["file"]);
});

it("removes what a killed writer of the same file has left, and nothing else", async () => {
  const home = await createTemporaryHome();
  const file = join(home.root, "config.json5");
  await mkdir(home.root, { recursive: true });
  const left = `${file}.0123456789ab.tmp`;
  const others = [
    `${file}.aaaaaaaaaaaa.tmp`,
    join(home.root, "secrets.json.0123456789ab.tmp"),
    `${file}.mine.tmp`,
  ];
  for (const path of [left, ...others]) await writeFile(path, "half");
  const longAgo = new Date(Date.now() - 60 * 60_000);
  for (const path of [left, ...others.slice(1)]) await utimes(path, longAgo, longAgo);
  await replacePrivateFile(file, "{}");
  const names = await readdir(home.root);
  expect(names).not.toContain(basename(left));
  expect(names).toEqual(expect.arrayContaining(others.map((path) => basename(path))));
});
