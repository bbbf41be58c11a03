import { expect, it } from "vitest";
import { createSay } from "../../infra/texts.ts";
import { createLandlock } from "./landlock.ts";
import { fakeMachine } from "./testing/fake-machine.ts";
import type { Enclosure, ProgramCall } from "./wall.ts";

const machine = fakeMachine({ programs: {} });
const wall = createLandlock({ machine, say: createSay("en"), perl: "/usr/bin/perl", version: 7 });
const call: ProgramCall = {
  file: "sh",
  args: ["-c", "ls"],
  cwd: "/srv/home/work",
  environment: { LANG: "C" },
};
const enclosure: Enclosure = {
  workdir: "/srv/home/work",
  readable: ["/srv", "/data"],
  closed: ["/srv/home"],
  network: { type: "none" },
};

const ruled = (args: readonly string[]) =>
  args.filter((_, index) => args[index - 1] === "rule").map((rule) => rule.slice(rule.indexOf(":") + 1));

it("X29 leaves out what holds something closed, since nothing can be taken out of what is shown", () => {
  const paths = ruled(wall.enclose(call, enclosure, "p_1").args);
  expect(paths).toContain("/data");
  expect(paths).toContain("/srv/home/work");
  expect(paths).not.toContain("/srv");
  expect(paths).not.toContain("/srv/home");
});

it("X29 shows nothing of what services keep beside their programs", () => {
  const paths = ruled(wall.enclose(call, enclosure, "p_1").args);
  expect(paths.filter((path) => path.startsWith("/opt"))).toEqual([
    "/opt/node/bin",
    "/opt/node/lib/node_modules",
    "/opt/node/bin/node",
  ]);
  expect(paths).toContain("/usr/bin");
  expect(["/usr", "/usr/local", "/usr/local/etc"].filter((path) => paths.includes(path))).toEqual([]);
});

it("X29 refuses a workdir with something closed inside, and says what to do", () => {
  const inside = { ...enclosure, workdir: "/srv", closed: ["/srv/home"] };
  expect(() => wall.enclose({ ...call, cwd: "/srv" }, inside, "p_1")).toThrow(
    /cannot hide \/srv\/home inside \/srv/,
  );
});

it("keeps the words of a program behind all words of its own", () => {
  const hostile = {
    ...call,
    file: "rule",
    args: ["15:/", "landlock", "0:0:0:0"],
    environment: { A: "--", B: "rule" },
  };
  const { args } = wall.enclose(hostile, enclosure, "p_1");
  expect(args.slice(-5)).toEqual(["--", "rule", "15:/", "landlock", "0:0:0:0"]);
  expect(args.indexOf("--")).toBe(args.length - 5);
});

it("gives a program a home that it can open, unless it has one in its workdir", () => {
  const homeOf = (home: string) =>
    wall.enclose({ ...call, environment: { HOME: home } }, enclosure, "p_1").environment["HOME"];
  expect(homeOf("/home/me")).toMatch(/\/pincer-p_1$/);
  expect(homeOf("/srv/home/work/me")).toBe("/srv/home/work/me");
});

it("refuses a name that would be a path", () => {
  expect(() => wall.enclose(call, enclosure, "../../etc")).toThrow(/not a valid name/);
});
