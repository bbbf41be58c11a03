/**
 * Linux namespaces, put up by bubblewrap without any right of root. A program sees the system's programs read-only, a home and a /tmp of its own that
 * are gone with it, and the workdir; of other processes, of the machine's network and of its sockets it sees nothing.
 *
 * No session of its own is asked for (`--new-session`): the caller gives the result a terminal or a session that nobody's shell is in,
 * and job control and Ctrl-C go on working in there.
 */
import { join } from "node:path";
import type { Say } from "../../infra/texts.ts";
import { bridgeArguments } from "../egress/bridge.ts";
import { isInside } from "../is-inside.ts";
import { checkEnclosure } from "./check-enclosure.ts";
import { handedOn } from "./handed-on.ts";
import type { Machine } from "./machine.ts";
import { canStage, stageEnvironment, stageWords } from "./stage.ts";
import { directoriesBetween, harmlessSettings, nodePaths, systemDirectories } from "./system-paths.ts";
import type { Enclosure, ProgramCall, Wall } from "./wall.ts";

export interface BubblewrapParts {
  machine: Machine;
  say: Say;
  /** The program itself, and what it answers to `--version`. */
  file: string;
  version: string;
  abilities: BubblewrapAbilities;
  perl: string | undefined;
  /** Has the kernel end what is in there before it ends the gateway, where memory runs out. */
  choom: string | undefined;
}

/** What older versions and some kernels lack. */
export interface BubblewrapAbilities {
  /** It can forbid further user namespaces. */
  forbidsNamespaces: boolean;
  /** Its directories in memory can have an end. */
  boundsMemory: boolean;
}

export function createBubblewrap(parts: BubblewrapParts): Wall {
  const { machine, say, file, version, abilities, choom } = parts;
  const perl = parts.perl && canStage(machine.arch) ? parts.perl : undefined;
  const isRoot = machine.uid === 0;
  return {
    kind: "bubblewrap",
    description: version,
    gaps: [
      ...(perl ? [] : [say("walls.gap.no-filter")]),
      ...(perl && isRoot ? [say("walls.gap.root-forks")] : []),
      ...(abilities.forbidsNamespaces ? [] : [say("walls.gap.namespaces")]),
      say("walls.gap.memory"),
    ],
    enclose(call, enclosure) {
      checkEnclosure(call, enclosure);
      const stage = perl && { perl, arch: machine.arch };
      const limits = { processes: mostProcesses, memoryBytes: machine.memoryBytes / 2 };
      const inner = bridged(call, enclosure, machine.node);
      const words = [
        file,
        ...apart(abilities),
        ...places(enclosure, call, { node: machine.node, abilities }),
        "--chdir",
        call.cwd,
        "--",
        ...(stage ? stageWords(stage, { ...limits, sockets: "local" }, inner) : [inner.file, ...inner.args]),
      ];
      const [first = file, ...rest] = choom ? [choom, "-n", "1000", "--", ...words] : words;
      return {
        file: first,
        args: rest,
        cwd: "/",
        environment: { ...handedOn(call.environment), ...(stage && stageEnvironment) },
      };
    },
  };
}

const mostProcesses = 512;
const socketInside = "/run/pincer/egress.sock";
const portInside = 3128;

function apart({ forbidsNamespaces }: BubblewrapAbilities): string[] {
  return [
    "--unshare-user",
    ...(forbidsNamespaces ? ["--disable-userns"] : []),
    "--unshare-pid",
    "--unshare-net",
    "--unshare-ipc",
    "--unshare-uts",
    "--unshare-cgroup-try",
    "--hostname",
    "pincer",
    "--die-with-parent",
    "--cap-drop",
    "ALL",
  ];
}

/** In this order: what comes later lies over what came before. */
function places(
  { workdir, readable, closed, network, readOnly: kept = [] }: Enclosure,
  call: ProgramCall,
  { node, abilities }: { node: string; abilities: BubblewrapAbilities },
): string[] {
  const memory = (path: string, mode: string, megabytes: number): string[] =>
    abilities.boundsMemory
      ? ["--perms", mode, "--size", String(megabytes * 1024 * 1024), "--tmpfs", path]
      : ["--tmpfs", path];
  const home = call.environment["HOME"];
  const readOnly = (path: string) => ["--ro-bind-try", path, path];
  const hidden = (path: string) => memory(path, "0700", 1);
  const closedAround = closed.filter((path) => !isInside(path, workdir));
  const closedWithin = closed.filter((path) => isInside(path, workdir));
  // What is a mount cannot be renamed: otherwise the way to what is hidden could be, and the next program would find it elsewhere.
  const waysWithin = new Set(closedWithin.flatMap((path) => directoriesBetween(workdir, path)));
  const keptWithin = kept.map((name) => join(workdir, name));
  const waysToKept = new Set(keptWithin.flatMap((path) => directoriesBetween(workdir, path)));
  return [
    ...systemDirectories.flatMap(readOnly),
    ...harmlessSettings.flatMap(readOnly),
    "--proc",
    "/proc",
    // As root a program owns the switches of the whole kernel in there, and bubblewrap leaves them open.
    "--remount-ro",
    "/proc",
    "--dev",
    "/dev",
    "--remount-ro",
    "/dev",
    ...memory("/dev/shm", "1777", 256),
    ...memory("/tmp", "1777", 512),
    ...memory("/var/tmp", "1777", 256),
    ...memory("/run", "0755", 16),
    ...memory("/home", "0755", 512),
    ...memory("/root", "0700", 512),
    ...(home && isOwnPlace(home) ? memory(home, "0700", 512) : []),
    ...[...nodePaths(node), ...readable].flatMap(readOnly),
    ...closedAround.flatMap(hidden),
    ...(closed.some((path) => isInside(node, path)) ? readOnly(node) : []),
    ...(network.type === "broker" ? ["--ro-bind", network.socket, socketInside] : []),
    "--bind",
    workdir,
    workdir,
    ...[...waysWithin].flatMap((path) => ["--bind", path, path]),
    ...[...waysToKept].flatMap((path) => ["--bind-try", path, path]),
    ...keptWithin.flatMap(readOnly),
    ...closedWithin.flatMap(hidden),
    ...[...closedAround, ...closedWithin, "/"].flatMap((path) => ["--remount-ro", path]),
  ];
}

/** Whether a home that the environment names may be made of memory: never one that would hide the system. */
const isOwnPlace = (home: string): boolean =>
  home.startsWith("/") &&
  !home.includes("/..") &&
  ![...systemDirectories, "/etc", "/proc", "/dev"].some(
    (path) => isInside(home, path) || isInside(path, home),
  );

function bridged(call: ProgramCall, { network }: Enclosure, node: string): ProgramCall {
  if (network.type === "none") return call;
  const { file, args } = call;
  return {
    ...call,
    file: node,
    args: bridgeArguments({ socket: socketInside, port: portInside, file, args }),
  };
}
