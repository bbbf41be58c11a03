/** A machine that has the programs one says, each of which ends as one says, and that remembers what was run on it. */
import type { Machine, ProgramEnd } from "../machine.ts";
import type { ProgramCall } from "../wall.ts";

export interface FakeMachine extends Machine {
  ran: ProgramCall[];
}

interface FakeMachineParts {
  /** By name; the status that it ends with, or what decides that. */
  programs: Record<string, number | ((call: ProgramCall) => ProgramEnd)>;
  platform?: string;
  arch?: string;
  uid?: number;
  /** What the kernel says when it is asked for Landlock. */
  landlock?: number;
}

export function fakeMachine({
  programs,
  platform = "linux",
  arch = "x64",
  uid = 1000,
  landlock = -1,
}: FakeMachineParts): FakeMachine {
  const ran: ProgramCall[] = [];
  return {
    ran,
    platform,
    arch,
    uid,
    gid: uid,
    memoryBytes: 8 * 1024 ** 3,
    node: "/opt/node/bin/node",
    which: async (name) => (name in programs ? `/usr/bin/${name}` : undefined),
    async run(call) {
      ran.push(call);
      const name = call.file.split("/").at(-1) ?? "";
      if (name === "perl" && call.args[1]?.startsWith("print")) return { status: 0, said: String(landlock) };
      const end = programs[name];
      if (typeof end === "function") return end(call);
      if (call.args[0] === "--version") return { status: 0, said: "bubblewrap 0.9.9" };
      return end === undefined
        ? { status: undefined, said: "" }
        : { status: end, said: end === 0 ? "" : "no permission" };
    },
  };
}
