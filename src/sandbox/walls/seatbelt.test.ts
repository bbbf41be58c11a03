import * as fc from "fast-check";
import { expect, it } from "vitest";
import { createSay } from "../../infra/texts.ts";
import { createSeatbelt } from "./seatbelt.ts";
import { fakeMachine } from "./testing/fake-machine.ts";
import type { Enclosure } from "./wall.ts";

const machine = fakeMachine({ programs: {}, platform: "darwin" });
const wall = createSeatbelt({ machine, say: createSay("en"), file: "/usr/bin/sandbox-exec" });
const enclosure: Enclosure = {
  workdir: "/Users/me/work",
  readable: [],
  closed: [],
  network: { type: "none" },
};

function enclosed(change: Partial<Enclosure>) {
  const whole = { ...enclosure, ...change };
  const call = { file: "sh", args: ["-c", "ls"], cwd: whole.workdir, environment: {} };
  const { args } = wall.enclose(call, whole, "p_1");
  const profile = args[args.indexOf("-p") + 1] ?? "";
  const defined = args.filter((_, index) => args[index - 1] === "-D");
  return { args, profile, defined };
}

it("X29 denies by default and allows the workdir, with every parenthesis closed", () => {
  const { profile, defined, args } = enclosed({});
  expect(profile).toMatch(/^\(version 1\)\n\(deny default\)/);
  expect(profile.split("(").length).toBe(profile.split(")").length);
  expect(profile).not.toContain("network");
  expect(defined).toContain("WORKDIR=/Users/me/work");
  expect(args.slice(-4)).toEqual(["--", "sh", "-c", "ls"]);
});

it("SAFE-04 forbids to write what steers the assistant, after allowing the workdir", () => {
  const { profile, defined } = enclosed({ readOnly: ["AGENTS.md"] });
  const kept = profile.indexOf('(deny file-write* (subpath (param "KEPT_0")))');
  expect(kept).toBeGreaterThan(profile.indexOf('(subpath (param "WORKDIR"))'));
  expect(defined).toContain("KEPT_0=/Users/me/work/AGENTS.md");
});

it("never writes a path into the profile, whatever it is called", () => {
  const plain = enclosed({ workdir: "/w/x", readable: ["/r/x"], closed: ["/c/x"] }).profile;
  const name = fc.oneof(
    fc.string({ minLength: 1 }),
    fc.constantFrom('")) (allow default) ("', "a\n(allow default)", "\\", '"', "(", ")", "#|"),
  );
  fc.assert(
    fc.property(name, (text) => {
      fc.pre(!/[\0/]/.test(text) && text !== "." && text !== "..");
      const { profile, defined } = enclosed({
        workdir: `/w/${text}`,
        readable: [`/r/${text}`],
        closed: [`/c/${text}`],
      });
      expect(profile).toBe(plain);
      expect(defined).toContain(`WORKDIR=/w/${text}`);
    }),
  );
});

it("hides what is closed: around the workdir before it, inside the workdir after it", () => {
  const { profile } = enclosed({ closed: ["/Users/me", "/Users/me/work/secret"] });
  const order = ["AROUND_0", 'subpath (param "WORKDIR")', "WITHIN_0"].map((word) => profile.indexOf(word));
  expect(order.every((place) => place > 0)).toBe(true);
  expect([...order].sort((a, b) => a - b)).toEqual(order);
});

it("X29 shows of what is installed neither settings nor data, but certificates", () => {
  const lines = enclosed({}).profile.split("\n");
  const placeOf = (line: string) => lines.findIndex((one) => one.includes(line));
  const shown = placeOf('(subpath "/opt/homebrew")');
  for (const hidden of ["/opt/homebrew/etc", "/opt/homebrew/var", "/usr/local/etc", "/usr/local/var"]) {
    expect(placeOf(`(deny file-read* (subpath "${hidden}"))`)).toBeGreaterThan(shown);
  }
  expect(placeOf("/opt/homebrew/etc/ca-certificates")).toBeGreaterThan(placeOf('"/opt/homebrew/etc"'));
  expect(lines.filter((line) => line.includes("private") && line.includes("openssl"))).toEqual([]);
});

it("reaches the broker's socket and one port of the loopback, and no other place", () => {
  const { profile, defined } = enclosed({
    network: { type: "broker", socket: "/Users/me/s.sock", hosts: [] },
  });
  const rules = profile.split("\n").filter((line) => line.includes("network"));
  expect(rules).toHaveLength(3);
  expect(rules.filter((line) => /localhost:\d{5}"/.test(line))).toHaveLength(2);
  expect(defined).toContain("BROKER=/Users/me/s.sock");
});
