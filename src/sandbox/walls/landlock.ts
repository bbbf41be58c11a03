/**
 * Where no namespace may be made: the kernel's own list of what this program may open (Landlock), a filter of its calls, and no rights. It keeps
 * files in and the network out; that there is a machine around it a program still sees. What cannot be taken out of something visible
 * is refused here, since Landlock only ever adds.
 */
import { tmpdir } from "node:os";
import { join } from "node:path";
import { failure } from "../../infra/failure.ts";
import type { Say } from "../../infra/texts.ts";
import { isInside } from "../is-inside.ts";
import { cannotHide, checkEnclosure, isPlainName } from "./check-enclosure.ts";
import { handedOn } from "./handed-on.ts";
import type { Machine } from "./machine.ts";
import { stageEnvironment, stageWords, type StageLandlock } from "./stage.ts";
import { harmlessSettings, nodePaths, systemDirectories } from "./system-paths.ts";
import type { Enclosure, ProgramCall, Wall } from "./wall.ts";

export interface LandlockParts {
  machine: Machine;
  say: Say;
  perl: string;
  /** What this kernel answers; see `oldestLandlock`. */
  version: number;
}

/** Before that, files outside could be emptied. */
export const oldestLandlock = 3;

/** Has a kernel say which version of Landlock it has. */
export const askLandlock = ["-e", "print syscall(444, 0, 0, 1)"];

export function createLandlock({ machine, say, perl, version }: LandlockParts): Wall {
  return {
    kind: "landlock",
    description: `Landlock ${version}`,
    gaps: [
      say("walls.gap.landlock-network"),
      say("walls.gap.landlock-modes"),
      say("walls.gap.landlock-processes"),
      ...(version < 6 ? [say("walls.gap.landlock-signals")] : []),
      say("walls.gap.landlock-outlive"),
      say("walls.gap.landlock-steering"),
      say("walls.gap.memory"),
    ],
    enclose(call, enclosure, name) {
      checkEnclosure(call, enclosure);
      if (!isPlainName(name)) throw failure("tool/failed", "walls.bad-name", { name: JSON.stringify(name) });
      const temporary = join(tmpdir(), `pincer-${name}`);
      const landlock: StageLandlock = {
        handled: handledBy(version),
        rules: [...readRules(enclosure, machine.node), ...deviceRules, writable(enclosure.workdir)],
        temporary: writable(temporary),
      };
      const work = { sockets: "none", memoryBytes: machine.memoryBytes / 2, landlock } as const;
      const [file = perl, ...args] = stageWords({ perl, arch: machine.arch }, work, call);
      const environment = { ...call.environment, HOME: homeFor(call, enclosure, temporary) };
      return { file, args, cwd: "/", environment: { ...handedOn(environment), ...stageEnvironment } };
    },
  };
}

/** The user's own home cannot be opened in there. */
function homeFor({ environment }: ProgramCall, { workdir }: Enclosure, temporary: string): string {
  const home = environment["HOME"];
  return home !== undefined && isInside(home, workdir) ? home : temporary;
}

const execute = 1;
const readFile = 4;
const readDirectory = 8;
const read = execute | readFile | readDirectory;
/** All that can be done to files; the kernel refuses names of rights that it does not know. */
const everything = (version: number) => (1 << (version >= 5 ? 16 : 15)) - 1;
/** Read, write, empty, and speak to: for devices that are nobody's. */
const useDevice = readFile | 2 | (1 << 14) | (1 << 15);

function handledBy(version: number): StageLandlock["handled"] {
  const network = version >= 4 ? 3 : 0;
  const scopes = version >= 6 ? 3 : 0;
  return { files: everything(version), network, scopes, bytes: version >= 6 ? 24 : version >= 4 ? 16 : 8 };
}

/** Not the right to make devices, which nobody in there needs. */
const writable = (path: string) => ({ path, access: everything(5) & ~((1 << 6) | (1 << 11)) });

const deviceRules = [
  ...["null", "zero", "full", "random", "urandom", "tty", "ptmx"].map((name) => ({
    path: join("/dev", name),
    access: useDevice,
  })),
  { path: "/dev/pts", access: useDevice | readDirectory },
  { path: "/proc", access: read },
];

function readRules(
  { readable, closed, workdir }: Enclosure,
  node: string,
): Array<{ path: string; access: number }> {
  const hides = (path: string) => closed.find((one) => isInside(one, path));
  for (const path of [...systemDirectories, workdir]) {
    const found = hides(path);
    if (found !== undefined) throw cannotHide(found, path);
  }
  const wanted = [...systemDirectories, ...harmlessSettings, ...nodePaths(node), ...readable];
  const isClosed = (path: string) => hides(path) !== undefined || closed.some((one) => isInside(path, one));
  const shown = wanted.filter((path) => !isClosed(path));
  return [...shown, node].map((path) => ({ path, access: read }));
}
