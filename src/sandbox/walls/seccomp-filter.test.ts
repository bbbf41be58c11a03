import { expect, it } from "vitest";
import { makeSeccompFilter } from "./seccomp-filter.ts";

/** What the kernel would answer: a reader of the few words of its language that the filter is made of. */
function ask(
  filter: Uint8Array,
  { arch, number, args = [] }: { arch: number; number: number; args?: number[] },
) {
  const view = new DataView(filter.buffer, filter.byteOffset, filter.byteLength);
  const data = new DataView(new ArrayBuffer(64));
  data.setUint32(0, number, true);
  data.setUint32(4, arch, true);
  for (const [index, value] of args.entries()) data.setUint32(16 + 8 * index, value >>> 0, true);
  let held = 0;
  for (let at = 0; at < filter.byteLength / 8; at++) {
    const [code, then, otherwise] = [
      view.getUint16(8 * at, true),
      view.getUint8(8 * at + 2),
      view.getUint8(8 * at + 3),
    ];
    const value = view.getUint32(8 * at + 4, true);
    if (code === 0x06) return value === 0x7fff0000 ? "allowed" : value & 0xffff;
    if (code === 0x20) held = data.getUint32(value, true);
    else {
      const isSo = code === 0x15 ? held === value : code === 0x35 ? held >= value : (held & value) !== 0;
      at += isSo ? then : otherwise;
    }
  }
  return "fell off the end";
}

const x64 = 0xc000003e;
const arm64 = 0xc00000b7;
const arm = makeSeccompFilter("arm64", "local") ?? new Uint8Array();
const filter = makeSeccompFilter("x64", "local") ?? new Uint8Array();
const asked = (number: number, ...args: number[]) => ask(filter, { arch: x64, number, args });

it("lets programs do what programs do", () => {
  for (const number of [0, 1, 3, 9, 39, 57, 59, 61, 62, 101, 202, 231, 262, 334])
    expect(asked(number)).toBe("allowed");
});

it.each([
  ["mounting", 165],
  ["keys of the session", 250],
  ["programs for the kernel", 321],
  ["rings in memory", 425],
  ["faults of memory", 323],
  ["mounts of the newer kind", 430],
  ["another's namespaces", 308],
])("refuses %s", (_what, number) => {
  expect(asked(number)).toBe(1);
});

it("lets processes be made, but not in namespaces of their own", () => {
  expect(asked(56, 0x01200011)).toBe("allowed");
  expect(asked(56, 0x10000011)).toBe(1);
  expect(asked(272, 0x400)).toBe("allowed");
  expect(asked(272, 0x20000)).toBe(1);
  expect(asked(435)).toBe(38);
});

it.each([
  { call: "chmod", ask: (mode: number) => asked(90, 0, mode) },
  { call: "fchmod", ask: (mode: number) => asked(91, 0, mode) },
  { call: "fchmodat", ask: (mode: number) => asked(268, 0, 0, mode) },
  { call: "fchmodat2", ask: (mode: number) => asked(452, 0, 0, mode) },
  { call: "creat", ask: (mode: number) => asked(85, 0, mode) },
  { call: "mknod", ask: (mode: number) => asked(133, 0, mode | 0o100000) },
  { call: "mknodat", ask: (mode: number) => asked(259, 0, 0, mode | 0o100000) },
  { call: "open for a new file", ask: (mode: number) => asked(2, 0, 0o101, mode) },
  { call: "open for one without a name", ask: (mode: number) => asked(2, 0, 0o20200002, mode) },
  { call: "openat for a new file", ask: (mode: number) => asked(257, 0, 0, 0o101, mode) },
  { call: "openat for one without a name", ask: (mode: number) => asked(257, 0, 0, 0o20200002, mode) },
  {
    call: "openat on another processor",
    ask: (mode: number) => ask(arm, { arch: arm64, number: 56, args: [0, 0, 0o20040002, mode] }),
  },
])("SAFE-04 lets modes be set by $call, but none that lends rights", ({ ask: askFor }) => {
  expect(askFor(0o1777)).toBe("allowed");
  expect([0o4755, 0o2755, 0o6777].map(askFor)).toEqual([1, 1, 1]);
});

it("does not look at the mode of a file that is there, which nobody reads", () => {
  expect(asked(257, 0, 0, 0, 0o4755)).toBe("allowed");
});

it("has programs open files in the older way, whose mode can be looked at", () => {
  expect(asked(437)).toBe(38);
});

it("lets terminals be used, but not typed into", () => {
  expect(asked(16, 0, 0x5401)).toBe("allowed");
  expect(asked(16, 0, 0x5412)).toBe(1);
});

it("knows four families of sockets, or none", () => {
  const families = (rule: "local" | "none") => {
    const own = makeSeccompFilter("x64", rule) ?? new Uint8Array();
    return [1, 2, 10, 16, 17, 38, 40].map((family) => ask(own, { arch: x64, number: 41, args: [family] }));
  };
  expect(families("local")).toEqual(["allowed", "allowed", "allowed", "allowed", 97, 97, 97]);
  expect(families("none")).toEqual([1, 1, 1, 1, 1, 1, 1]);
});

it("refuses the calls of other kinds of programs on the same processor", () => {
  expect(ask(filter, { arch: 0x40000003, number: 4 })).toBe(38);
  expect(asked(0x40000000 + 1)).toBe(38);
});

it("has the numbers of arm64, and none of processors that it does not know", () => {
  expect(ask(arm, { arch: arm64, number: 40 })).toBe(1);
  expect(ask(arm, { arch: arm64, number: 63 })).toBe("allowed");
  expect(makeSeccompFilter("riscv64", "local")).toBeUndefined();
});
