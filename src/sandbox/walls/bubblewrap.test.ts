import { isDeepStrictEqual } from "node:util";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { createSay } from "../../infra/texts.ts";
import { createBubblewrap } from "./bubblewrap.ts";
import { fakeMachine } from "./testing/fake-machine.ts";
import type { Enclosure, ProgramCall } from "./wall.ts";

const parts = {
  machine: fakeMachine({ programs: {} }),
  say: createSay("en"),
  file: "/usr/bin/bwrap",
  version: "bubblewrap 0.9.9",
  abilities: { forbidsNamespaces: true, boundsMemory: true },
  choom: undefined,
};
const wall = createBubblewrap({ ...parts, perl: undefined });
const call: ProgramCall = {
  file: "sh",
  args: ["-c", "ls"],
  cwd: "/srv/home/work",
  environment: { LANG: "C" },
};
const enclosure: Enclosure = {
  workdir: "/srv/home/work",
  readable: ["/srv"],
  closed: ["/srv/home"],
  network: { type: "none" },
};

/** The last place where a mount for `path` stands. */
const placeOf = (args: readonly string[], path: string) => args.lastIndexOf(path, args.indexOf("--chdir"));
const mounts = (args: readonly string[], option: string) =>
  args.filter((_, index) => args[index - 1] === option).map((path) => path);

it("SAFE-04 hides what is closed under what is readable, and shows the workdir in it", () => {
  const { args } = wall.enclose(call, enclosure, "p_1");
  const order = [args.indexOf("/srv"), args.indexOf("/srv/home"), args.indexOf("/srv/home/work")];
  expect([...order].sort((a, b) => a - b)).toEqual(order);
  expect(mounts(args, "--bind")).toEqual(["/srv/home/work"]);
});

it("SAFE-04 shows what steers the assistant read-only, over the workdir, and the way to it cannot be renamed", () => {
  const { args } = wall.enclose(call, { ...enclosure, readOnly: ["AGENTS.md", "docs/deep/RULES.md"] }, "p_1");
  const workdir = args.lastIndexOf("--bind");
  const kept = args.indexOf("/srv/home/work/AGENTS.md");
  expect(args[kept - 1]).toBe("--ro-bind-try");
  expect(kept).toBeGreaterThan(workdir);
  expect(mounts(args, "--bind-try")).toEqual(["/srv/home/work/docs", "/srv/home/work/docs/deep"]);
  expect(args.indexOf("/srv/home/work/docs/deep/RULES.md")).toBeGreaterThan(
    args.indexOf("/srv/home/work/docs/deep"),
  );
});

it("SAFE-04 hides what is closed inside the workdir after showing that", () => {
  const { args } = wall.enclose(
    { ...call, cwd: "/srv" },
    { ...enclosure, workdir: "/srv", readable: [], closed: ["/srv/home"] },
    "p_1",
  );
  expect(args.indexOf("--bind")).toBeLessThan(args.indexOf("/srv/home"));
  expect(placeOf(args, "/srv/home")).toBeGreaterThan(0);
});

it("shows nothing of a user's home, and of /etc only what is named", () => {
  const { args } = wall.enclose(
    { ...call, environment: { HOME: "/home/me" } },
    { ...enclosure, readable: [] },
    "p_1",
  );
  const shown = mounts(args, "--ro-bind-try");
  expect(shown.filter((path) => path.startsWith("/home") || path.startsWith("/root"))).toEqual([]);
  expect(shown).not.toContain("/etc");
  expect(shown).not.toContain("/etc/ssl");
  expect(shown).not.toContain("/etc/pki");
  expect(shown.filter((path) => /shadow|sudo|private|machine-id|\/ssh/.test(path))).toEqual([]);
  expect(mounts(args, "--tmpfs")).toContain("/home/me");
});

it("never hides the system behind a home", () => {
  for (const home of ["/", "/usr", "/usr/lib", "/etc", "/srv/../usr", "relative"]) {
    const { args } = wall.enclose({ ...call, environment: { HOME: home } }, enclosure, "p_1");
    expect(mounts(args, "--tmpfs")).not.toContain(home);
  }
});

it("SAFE-04 no text ever becomes an option of bubblewrap", () => {
  const hostile = fc.oneof(
    fc.string(),
    fc.constantFrom("--bind", "--share-net", "--", "--dev-bind / /", "--cap-add\nALL"),
  );
  const plain = wall.enclose(call, enclosure, "p_1").args;
  const end = plain.indexOf("--chdir");
  fc.assert(
    fc.property(fc.array(hostile), hostile, hostile, (args, file, value) => {
      fc.pre(file !== "");
      const enclosed = wall.enclose({ ...call, file, args, environment: { LANG: value } }, enclosure, "p_1");
      const own = ["--chdir", "/srv/home/work", "--", file, ...args];
      return (
        isDeepStrictEqual(enclosed.args, [...plain.slice(0, end), ...own]) &&
        isDeepStrictEqual(enclosed.environment, { LANG: value })
      );
    }),
    { numRuns: 50 },
  );
});

it("SAFE-04 makes mounts of the directories that lead to what is hidden, so that none can be renamed", () => {
  const { args } = wall.enclose(
    { ...call, cwd: "/srv" },
    { ...enclosure, workdir: "/srv", readable: [], closed: ["/srv/a/b/home"] },
    "p_1",
  );
  expect(mounts(args, "--bind")).toEqual(["/srv", "/srv/a", "/srv/a/b"]);
  expect(args.lastIndexOf("--bind")).toBeLessThan(args.indexOf("/srv/a/b/home"));
});

it("says what it does not keep in: without Perl, as root, without the ban on namespaces", () => {
  const root = createBubblewrap({
    ...parts,
    machine: fakeMachine({ programs: {}, uid: 0 }),
    perl: "/usr/bin/perl",
  });
  const old = createBubblewrap({
    ...parts,
    abilities: { forbidsNamespaces: false, boundsMemory: true },
    perl: "/usr/bin/perl",
  });
  expect(wall.gaps.join()).toContain("Perl is missing");
  expect(root.gaps.join()).toContain("as root");
  expect(old.gaps.join()).toContain("user namespaces");
});

it("SAFE-04 shows nothing of what services keep beside their programs, and the Node that runs us wherever it is", () => {
  const { args } = wall.enclose(call, { ...enclosure, readable: [] }, "p_1");
  const shown = mounts(args, "--ro-bind-try");
  expect(shown.filter((path) => path.startsWith("/opt"))).toEqual([
    "/opt/node/bin",
    "/opt/node/lib/node_modules",
  ]);
  const holds = (path: string) => shown.some((one) => `${path}/`.startsWith(`${one}/`));
  expect(["/usr/bin", "/usr/local/bin", "/usr/local/lib", "/usr/share"].every(holds)).toBe(true);
  expect(["etc", "src", "var", "nginx", "cargo"].filter((name) => holds(`/usr/local/${name}`))).toEqual([]);
  expect(["etc", "src"].filter((name) => holds(`/usr/${name}`))).toEqual([]);
});
