import { chmodSync, mkdirSync, renameSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { fuzzApprovals } from "./testing/exact-fuzz.ts";
import { mutations } from "./testing/exact-mutations.ts";
import { createExactStage, writeProgram, type ExactStage } from "./testing/exact-stage.ts";

vi.setConfig({ testTimeout: 60_000 });

let stage: ExactStage;
beforeEach(() => {
  stage = createExactStage();
});
afterEach(() => stage.remove());

describe("what was approved", () => {
  it("SAFE-01 is what runs, whatever happens in between, and the same runs", async () => {
    const figures = await fuzzApprovals(stage, 6 * mutations.length, 8);
    expect(figures.unapproved).toEqual([]);
    expect(figures.needless).toEqual([]);
    expect(figures.total).toBe(6 * mutations.length);
    expect(figures.ran).toBeGreaterThan(30);
    expect(figures.refused).toBeGreaterThan(100);
  });

  it.each([
    ["the command", async () => ({ command: "build  --release" })],
    ["how long it may take", async () => ({ command: "build --release", timeoutSec: 5 })],
    ["how long it may take", async () => ({ command: "build --release", background: true })],
    ["the directory that it starts in", async () => ({ command: "build --release", cwd: "sub" })],
  ])("SAFE-01 does not run where %s has changed, and says so", async (what, changed) => {
    const exact = await stage.approve({ command: "build --release" });
    expect(await stage.run(await changed(), exact)).toContain(
      `what was approved is no longer what would run (${what}`,
    );
  });

  it("SAFE-01 does not run by another program, environment, shell or wall", async () => {
    const base = { command: "build" };
    const exact = await stage.approve(base);
    writeProgram(join(stage.second, "build"), "two");
    expect(await stage.run(base, exact)).toContain("a program that it runs has changed");
    const { environment, settings } = stage.world();
    stage.change({ environment: { ...environment, LISTED: "else" } });
    expect(await stage.run(base, exact)).toContain("the environment, a program that it runs has changed");
    stage.reset();
    stage.change({ settings: { ...settings, shell: join(stage.root, "other-shell") } });
    expect(await stage.run(base, exact)).toContain("the environment, the shell,");
  });

  it("SAFE-01 is noticed as another program also where only its content is", async () => {
    const base = { command: "build" };
    const file = join(stage.second, "build");
    const time = new Date("2020-01-01T00:00:00Z");
    writeProgram(file, "one");
    utimesSync(file, time, time);
    const exact = await stage.approve(base);
    writeProgram(file, "two");
    utimesSync(file, time, time);
    expect(await stage.run(base, exact)).toContain("a program that it runs has changed");
    writeProgram(file, "one");
    utimesSync(file, time, time);
    expect(await stage.run(base, exact)).toMatchObject({ argv: [expect.any(String), "-c", "build"] });
  });

  it("SAFE-01 is what no text but its own stands for", async () => {
    expect(await stage.run({ command: "build" }, "yes")).toContain("no longer what would run");
    expect(await stage.run({ command: "build" }, "")).toContain("no longer what would run");
    expect(await stage.run({ command: "build" }, "{}")).toContain("no longer what would run");
  });

  it("SAFE-01 starts in the very directory, also when its name leads elsewhere at the last moment", async () => {
    const base = { command: "build", cwd: "sub" };
    const before = await stage.imageOf(base);
    const exact = await stage.approve(base);
    stage.after(() => {
      renameSync(join(stage.workdir, "sub"), join(stage.root, "was"));
      symlinkSync("/etc", join(stage.workdir, "sub"));
    });
    expect(await stage.run(base, exact)).toEqual(before);
  });

  it("does not depend on what is no part of it", async () => {
    const base = { command: "build" };
    const exact = await stage.approve(base);
    mkdirSync(join(stage.workdir, "new"));
    writeFileSync(join(stage.first, "build"), "no program");
    const { environment } = stage.world();
    stage.change({ environment: { ...environment, UNLISTED: "else" } });
    expect(await stage.run({ command: "build", cwd: "." }, exact)).toMatchObject({ wall: "none" });
    chmodSync(join(stage.first, "build"), 0o755);
    expect(await stage.run(base, exact)).toContain("a program that it runs has changed");
  });

  it("holds no value of the environment", async () => {
    const { environment } = stage.world();
    stage.change({ environment: { ...environment, LISTED: "tell-nobody" } });
    expect(await stage.approve({ command: "build" })).not.toContain("tell-nobody");
  });
});

describe("what is shown of a command", () => {
  it("SAFE-02 names directory, programs, wall and what of the environment is unusual", async () => {
    const { settings } = stage.world();
    stage.change({ settings: { ...settings, environment: ["LISTED", "API_KEY"] } });
    stage.change({ environment: { ...stage.world().environment, API_KEY: "tell-nobody" } });
    const command = "FOO=bar build && echo $(check) | $x; nothing";
    expect(await stage.describe({ command, cwd: "sub" })).toMatchObject({
      shown: command,
      command: {
        directory: join(stage.workdir, "sub"),
        environment: { LISTED: "yes", API_KEY: "(not shown)", FOO: "bar" },
        programs: [
          join(stage.second, "build"),
          "echo (a part of the shell)",
          join(stage.second, "check"),
          "$x (known only when it runs)",
          "nothing (not found)",
        ],
        wall: "outside any sandbox (sandbox is none)",
      },
    });
  });

  it("SAFE-02 shows what cannot be seen", async () => {
    const shown = async (command: string) => (await stage.describe({ command }))?.shown;
    expect(await shown("echo \u202etxt.a")).toBe("echo ⟨U+202E⟩txt.a");
    expect(await shown("l\u0455 -la")).toBe("l⟨U+0455⟩ -la");
  });

  it("does not describe what would begin outside the workdir", async () => {
    await expect(stage.describe({ command: "ls", cwd: ".." })).rejects.toThrow("outside the workdir");
  });
});

describe("the shape of a command", () => {
  const shapeOf = async (command: string, cwd?: string) =>
    (await stage.describe({ command, ...(cwd !== undefined && { cwd }) }))?.shape;

  it("is the same for other files to read, with the same options", async () => {
    const shape = await shapeOf("cat -n a.txt");
    expect(shape).toBeDefined();
    expect(await shapeOf("cat sub/b.txt -n 'c d'")).toBe(shape);
    expect(await shapeOf("cat -n a.txt", "sub")).toBe(shape);
    expect(await shapeOf("cat a.txt")).not.toBe(shape);
    expect(await shapeOf("cat -A a.txt")).not.toBe(shape);
    expect(await shapeOf("head -n a.txt")).not.toBe(shape);
    expect(await shapeOf("cat -n /etc/passwd")).toBeUndefined();
  });

  it("has every word of any other program in it, and where it runs", async () => {
    const shape = await shapeOf("build test");
    expect(shape).toBeDefined();
    expect(await shapeOf("'build'  te\\st")).toBe(shape);
    expect(await shapeOf("build evil")).not.toBe(shape);
    expect(await shapeOf("build test x")).not.toBe(shape);
    expect(await shapeOf("build test", "sub")).not.toBe(shape);
  });

  it("changes with the program, the environment and the wall", async () => {
    const shape = await shapeOf("build test");
    writeProgram(join(stage.first, "build"), "shadow");
    expect(await shapeOf("build test")).not.toBe(shape);
    const { environment } = stage.world();
    const other = await shapeOf("cat a");
    stage.change({ environment: { ...environment, LISTED: "else" } });
    expect(await shapeOf("cat a")).not.toBe(other);
  });

  it.each([
    "build; check",
    "build a; build b",
    "build | check",
    "build &",
    "(build)",
    "build > out",
    "FOO=bar build",
    "build $x",
    "build $(check)",
    "build *",
    "env build",
    "sh -c build",
    "busybox cat a",
    "sudo build",
    "nice build",
    "timeout 5 build",
    "xargs build",
    "find . -exec build ;",
    "git -c a=b status",
    "git status",
    "awk x a",
    "python3 -c x",
    "perl -e x",
    "./build",
    "/bin/cat a",
    "nothing here",
    "build ../x",
    "build\ncheck",
    "build a\u200bb",
    "ｂuild",
  ])("is not there for %j", async (command) => {
    expect(await shapeOf(command)).toBeUndefined();
  });
});
