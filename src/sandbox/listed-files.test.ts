import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createListedSearch, type ListedFiles, type ListedSearch } from "./listed-files.ts";
import { watchSteeringFiles, type SteeringWatch } from "./steering-files.ts";
import { createWorkdirFiles } from "./workdir-files.ts";
import { createWorkdirOpener } from "./workdir-opener.ts";
import { createWorkdirRegistry, type WorkdirRegistry } from "./workdir-registry.ts";

/** `.hooks/` with all in it, `run.me`, and `.set/start.me`, at any depth. */
const listed: ListedFiles = {
  rootOf(path) {
    const [, hooks] = /^((?:.*\/)?\.hooks)(?:\/|$)/.exec(path) ?? [];
    if (hooks !== undefined) return { path: hooks, isDirectory: true };
    return /(?:^|\/)(?:run\.me|\.set\/start\.me)$/.test(path) ? { path, isDirectory: false } : undefined;
  },
  mayBe: (name) => [".hooks", "run.me", ".set", "start.me"].includes(name),
  leadsTo: (path) => /(?:^|\/)\.set$/.test(path),
  runsNothing: (path, text) => path.endsWith(".sample") || text === "nothing",
  async declaredIn(path, read) {
    if (!path.endsWith("run.me")) return [];
    const [, also] = /^also (.+)$/m.exec(await read()) ?? [];
    return also === undefined ? [] : [also];
  },
};

let root: string;
let workdir: string;
let registry: WorkdirRegistry;
let ends: Array<() => void>;
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "pincer-listed-")));
  workdir = join(root, "work");
  await mkdir(workdir);
  registry = createWorkdirRegistry();
  ends = [];
});
afterEach(async () => {
  for (const end of ends) end();
  await rm(root, { recursive: true });
});

async function put(path: string, text: string): Promise<void> {
  await mkdir(join(workdir, dirname(path)), { recursive: true });
  await writeFile(join(workdir, path), text);
}
const read = (path: string) => readFile(join(workdir, path), "utf8").catch(() => "gone");

/** Much later than anything on the disk, so that nothing is young. */
const later = () => Date.now() + 3_600_000;

const search = (more: Partial<Parameters<typeof createListedSearch>[0]> = {}): ListedSearch =>
  createListedSearch({ workdir, listed, now: later, ...more });

async function watch(
  byWall: "read-only" | "writable" = "writable",
  found: ListedSearch = search({ now: Date.now }),
): Promise<SteeringWatch> {
  const opener = createWorkdirOpener({ workdir, closed: join(root, "home"), registry });
  const made = await watchSteeringFiles(
    { workdir, names: ["AGENTS.md"], listed: { files: listed, search: found }, opener, registry },
    byWall,
  );
  ends.push(made.end);
  return made;
}

describe("a search for what runs by itself", () => {
  it("finds it at any depth, with links on the way to it, and not what is like it", async () => {
    for (const path of ["run.me", "a/b/.hooks/x", "a/run.me.txt", "a/.set/start.me", "a/start.me"])
      await put(path, "");
    await mkdir(join(workdir, "b/run.me"), { recursive: true });
    await symlink("../a", join(workdir, "b/.set"));
    await symlink("a", join(workdir, "c"));
    const { roots, isWhole } = await search().find();
    expect(roots.sort()).toEqual(["a/.set/start.me", "a/b/.hooks", "b/.set", "run.me"]);
    expect(isWhole).toBe(true);
  });

  it("finds what has come since, wherever, and what has gone", async () => {
    const names = fc.constantFrom(
      "run.me",
      "x",
      "a/run.me",
      "a/b/run.me",
      "a/b/c/.hooks/x",
      "a/.set/start.me",
    );
    const step = fc.record({ path: names, act: fc.constantFrom("make", "remove", "move") });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
        await rm(workdir, { recursive: true });
        await mkdir(workdir);
        const kept = search({ now: Date.now });
        for (const { path, act } of steps) {
          if (act === "make") await put(path, "").catch(() => undefined);
          if (act === "remove") await rm(join(workdir, path), { recursive: true, force: true });
          if (act === "move") await rename(join(workdir, "a"), join(workdir, "moved")).catch(() => undefined);
          const { roots } = await kept.find();
          expect(roots.sort()).toEqual((await search().find()).roots.sort());
        }
      }),
      { numRuns: 25 },
    );
  });

  it("looks again into a directory that had only just changed when it was read", async () => {
    await put("a/x", "");
    const { ctimeMs } = await lstat(join(workdir, "a"));
    const young = search({ now: () => ctimeMs + 1 });
    await young.find();
    await put("a/run.me", "");
    expect((await young.find()).roots).toEqual(["a/run.me"]);
  });

  it("does not look into the stores of a repository, and says where it did not see everything", async () => {
    await put(".git/objects/ab/run.me", "");
    await put(".git/x/run.me", "");
    for (const name of ["a", "b", "c", "d"]) await mkdir(join(workdir, name));
    expect(await search().find()).toEqual({ roots: [], isWhole: true });
    expect(await search({ most: 3 }).find()).toMatchObject({ isWhole: false });
  });

  it.skipIf(process.getuid?.() === 0)("says so where a directory cannot be read", async () => {
    await mkdir(join(workdir, "closed"));
    await chmod(join(workdir, "closed"), 0);
    expect(await search().find()).toMatchObject({ isWhole: false });
    await chmod(join(workdir, "closed"), 0o700);
  });
});

describe("what runs by itself", () => {
  it("SAFE-04 is as it was after a program, wherever it is, and what was written is kept beside it", async () => {
    await put("a/run.me", "mine");
    await put("b/.hooks/one", "mine");
    const { inspect, putBack } = await watch();
    await put("a/run.me", "evil");
    await put("b/.hooks/one", "evil");
    await put("b/.hooks/two", "evil");
    await put("c/d/run.me", "evil");
    await put("c/.hooks/x/y", "evil");
    await put("README.md", "fine");
    expect((await inspect()).sort()).toEqual([
      "a/run.me",
      "b/.hooks/one",
      "b/.hooks/two",
      "c/.hooks",
      "c/d/run.me",
    ]);
    expect(await read("a/run.me")).toBe("mine");
    expect(await read("a/run.me.unreviewed")).toBe("evil");
    expect(await read("b/.hooks/one")).toBe("mine");
    expect((await readdir(join(workdir, "b/.hooks.unreviewed"))).sort()).toEqual(["one", "two"]);
    expect(await read("c/.hooks.unreviewed/x/y")).toBe("evil");
    expect(await readdir(join(workdir, "c/d"))).toEqual(["run.me.unreviewed"]);
    expect(putBack()["c/d/run.me"]).toEqual({ keptAs: "c/d/run.me.unreviewed", runs: true });
    expect(await inspect()).toEqual([]);
  });

  it("SAFE-04 is put back where it was removed, but not a repository that is gone as a whole", async () => {
    for (const path of ["run.me", "a/.hooks/one", "b/run.me"]) await put(path, "mine");
    const { inspect } = await watch();
    await rm(join(workdir, "run.me"));
    await rm(join(workdir, "a/.hooks"), { recursive: true });
    await rm(join(workdir, "b"), { recursive: true });
    expect((await inspect()).sort()).toEqual(["a/.hooks/one", "run.me"]);
    expect(await read("a/.hooks/one")).toBe("mine");
    expect((await readdir(workdir)).sort()).toEqual(["a", "run.me"]);
  });

  it("stays where it is new and runs nothing, and is moved whole where some of it does", async () => {
    const { inspect } = await watch();
    await put("a/.hooks/one.sample", "echo");
    await put("a/run.me", "nothing");
    await put("b/.hooks/one.sample", "echo");
    await put("b/.hooks/two", "evil");
    expect(await inspect()).toEqual(["b/.hooks"]);
    expect(await read("a/.hooks/one.sample")).toBe("echo");
    expect(await read("a/run.me")).toBe("nothing");
  });

  it("SAFE-04 is put back where it was there before, whatever it would run now", async () => {
    await put("run.me", "mine");
    const { inspect } = await watch();
    await put("run.me", "nothing");
    expect(await inspect()).toEqual(["run.me"]);
    expect(await read("run.me")).toBe("mine");
  });

  it("SAFE-04 a link that stands for it is moved, and one that was there counts by what it leads to", async () => {
    await put("real/start.me", "mine");
    await symlink("real", join(workdir, ".set"));
    const { there, inspect } = await watch("writable");
    expect(there).toEqual(["real"]);
    await put("real/start.me", "evil");
    await put("other/start.me", "evil");
    await rm(join(workdir, ".set"));
    await symlink("other", join(workdir, ".set"));
    await mkdir(join(workdir, "sub"));
    await symlink("../other", join(workdir, "sub/.set"));
    expect((await inspect()).sort()).toEqual([".set", "real/start.me", "sub/.set"]);
    expect(await readlink(join(workdir, ".set"))).toBe("real");
    expect(await read("real/start.me")).toBe("mine");
    expect(await readlink(join(workdir, "sub/.set.unreviewed"))).toBe("../other");
  });

  it("SAFE-04 counts too where a file of the list names it", async () => {
    await put("run.me", "also tools/hooks");
    await put("tools/hooks/one", "mine");
    const { there, inspect } = await watch();
    expect([...there].sort()).toEqual(["run.me", "tools/hooks"]);
    await put("tools/hooks/one", "evil");
    expect(await inspect()).toEqual(["tools/hooks/one"]);
    expect(await read("tools/hooks/one")).toBe("mine");
  });

  it("is named for a wall where it is there, and only new ones count behind one that keeps it", async () => {
    await put("a/run.me", "mine");
    await put("a, b/run.me", "mine");
    const { there, inspect } = await watch("read-only");
    // Not every wall can be told of a path with a comma: that one is restored instead.
    expect(there).toEqual(["a/run.me"]);
    await put("a/run.me", "the owner's own change");
    await put("a, b/run.me", "evil");
    await put("c/run.me", "evil");
    expect((await inspect()).sort()).toEqual(["a, b/run.me", "c/run.me"]);
    expect(await read("a/run.me")).toBe("the owner's own change");
    expect(await read("a, b/run.me")).toBe("mine");
  });

  it("stays as Pincer itself writes it meanwhile", async () => {
    const { inspect } = await watch();
    const files = createWorkdirFiles({ workdir, closed: join(root, "home"), registry });
    await files.write("a/run.me", "with the owner's yes");
    expect(await inspect()).toEqual([]);
    expect(await read("a/run.me")).toBe("with the owner's yes");
  });

  it("says that it is not known what was changed where not everything was seen", async () => {
    for (const name of ["a", "b", "c"]) await mkdir(join(workdir, name));
    const { isPartial } = await watch("writable", search({ most: 2 }));
    expect(isPartial()).toBe(true);
  });
});
