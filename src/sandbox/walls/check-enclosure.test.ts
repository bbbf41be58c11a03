import { expect, it } from "vitest";
import { checkEnclosure, isPlainName } from "./check-enclosure.ts";
import type { Enclosure, ProgramCall } from "./wall.ts";

const call: ProgramCall = { file: "sh", args: [], cwd: "/srv/work", environment: { LANG: "C" } };
const enclosure: Enclosure = { workdir: "/srv/work", readable: [], closed: [], network: { type: "none" } };

it("is content with a directory of one's own", () => {
  expect(() => checkEnclosure(call, enclosure)).not.toThrow();
});

it.each([
  "/",
  "/usr",
  "/usr/local",
  "/usr/local/bin",
  "/opt",
  "/snap/bin",
  "/etc",
  "/home",
  "/tmp",
  "/var",
  "/run",
  "/proc",
  "/root",
])("SAFE-04 refuses %s as a workdir: nothing would be left outside", (workdir) => {
  expect(() => checkEnclosure(call, { ...enclosure, workdir })).toThrow(/too broad for a workdir/);
});

it.each(["work", "/srv/../etc", "/srv//work", "/srv/work/", "/srv/wo\0rk", ""])(
  "refuses %j as a path",
  (path) => {
    expect(() => checkEnclosure(call, { ...enclosure, workdir: path })).toThrow(/cannot be sandboxed/);
    expect(() => checkEnclosure(call, { ...enclosure, readable: [path] })).toThrow(/cannot be sandboxed/);
    expect(() => checkEnclosure(call, { ...enclosure, closed: [path] })).toThrow(/cannot be sandboxed/);
    expect(() => checkEnclosure({ ...call, cwd: path }, enclosure)).toThrow(/cannot be sandboxed/);
  },
);

it("refuses to show the whole machine, and says what to do", () => {
  expect(() => checkEnclosure(call, { ...enclosure, readable: ["/srv", "/"] })).toThrow(
    /tools\.exec\.readable contains \//,
  );
});

it.each(["", "/etc/passwd", "..", "../x", "a/../../x", "./a", "a/", "."])(
  "refuses %j as something of the workdir to be kept",
  (name) => {
    expect(() => checkEnclosure(call, { ...enclosure, readOnly: [name] })).toThrow(/cannot be sandboxed/);
  },
);

it("refuses a program without a name, and variables that are none", () => {
  expect(() => checkEnclosure({ ...call, file: "" }, enclosure)).toThrow(/without a name/);
  expect(() => checkEnclosure({ ...call, environment: { "A=B": "c" } }, enclosure)).toThrow(/without a name/);
});

it("knows names that hold everywhere", () => {
  expect(["p_1", "a.b-c"].every(isPlainName)).toBe(true);
  expect(["", "-a", "../a", "a/b", "a b", "a\n"].some(isPlainName)).toBe(false);
});
