/** Which wall stands here: what the profile asks for, tried out with a program that does nothing, and where there is none, why not. */
import type { Clock } from "../../infra/clock.ts";
import type { Say } from "../../infra/texts.ts";
import { chooseContainer, type ContainerWish } from "./choose-container.ts";
import { createBubblewrap, type BubblewrapAbilities } from "./bubblewrap.ts";
import { askLandlock, createLandlock, oldestLandlock } from "./landlock.ts";
import { lastLine } from "./last-line.ts";
import type { Machine, ProgramEnd } from "./machine.ts";
import { createSeatbelt } from "./seatbelt.ts";
import { canStage } from "./stage.ts";
import type { Wall, WallChoice, WallProfile } from "./wall.ts";

export interface WallParts {
  machine: Machine;
  say: Say;
  clock: Clock;
  /** The gateway's own; docker and podman find their things and their socket by some of it. */
  environment: Readonly<Record<string, string | undefined>>;
  /** An empty directory of our own that a wall may be tried out around. A real path. */
  trial: string;
}

export interface WallWish extends ContainerWish {
  profile: WallProfile;
}

/**
 * Never throws. A wall that stood is remembered for good, one that did not for a minute, so that what was installed meanwhile is found. Two who
 * ask at once share the answer.
 */
export function createWallChooser(parts: WallParts): (wish: WallWish) => Promise<WallChoice> {
  const known = new Map<string, { at: number; choice: Promise<WallChoice> }>();
  return async (wish) => {
    const key = JSON.stringify(wish);
    const before = known.get(key);
    if (before) {
      const choice = await before.choice;
      if (choice.type === "walled" || parts.clock.monotonic() - before.at < rememberMs) return choice;
    }
    const choice = choose(parts, wish);
    known.set(key, { at: parts.clock.monotonic(), choice });
    return choice;
  };
}

const rememberMs = 60_000;

async function choose(parts: WallParts, wish: WallWish): Promise<WallChoice> {
  const { profile } = wish;
  const { say } = parts;
  if (profile === "none") {
    return { type: "unwalled", profile, reason: say("walls.none.off"), next: say("walls.next.off") };
  }
  const found = await find(parts, wish, profile).catch((error: Error) => ({
    reason: error.message,
    next: "",
  }));
  return "wall" in found
    ? { type: "walled", profile, wall: found.wall }
    : { type: "unwalled", profile, ...found };
}

/** Throws PincerError where the place to try it out in is one that no wall is built around. */
const find = (parts: WallParts, wish: WallWish, profile: Exclude<WallProfile, "none">): Promise<Found> =>
  profile === "local" ? chooseLocal(parts) : chooseContainer(parts, wish, profile);

type Found = { wall: Wall } | { reason: string; next: string };

async function chooseLocal(parts: WallParts): Promise<Found> {
  const { machine, say } = parts;
  const { platform } = machine;
  if (platform === "darwin") return trySeatbelt(parts);
  if (platform !== "linux") {
    return { reason: say("walls.none.platform", { platform }), next: say("walls.next.engine") };
  }
  const perl = await machine.which("perl");
  const first = await tryBubblewrap(parts, perl);
  if ("wall" in first) return first;
  const second = await tryLandlock(parts, perl);
  if ("wall" in second) return second;
  const reason = say("walls.none.linux", { bubblewrap: first.said, landlock: second.said });
  return { reason, next: say(first.isHere ? "walls.next.namespaces" : "walls.next.bubblewrap") };
}

/** With all that it can do, and then with less, as old versions and strict kernels need it. */
const abilityTries: readonly BubblewrapAbilities[] = [
  { forbidsNamespaces: true, boundsMemory: true },
  { forbidsNamespaces: false, boundsMemory: true },
  { forbidsNamespaces: false, boundsMemory: false },
];

async function tryBubblewrap(
  parts: WallParts,
  perl: string | undefined,
): Promise<{ wall: Wall } | { said: string; isHere: boolean }> {
  const { machine, say } = parts;
  const file = await machine.which("bwrap");
  if (!file) return { said: say("walls.missing"), isHere: false };
  const version = await machine.run({ file, args: ["--version"], cwd: "/", environment: {} });
  const choom = await machine.which("choom");
  let said = "";
  for (const abilities of abilityTries) {
    const wall = createBubblewrap({
      machine,
      say,
      file,
      version: version.said || "bubblewrap",
      abilities,
      perl,
      choom,
    });
    const end = await tryOut(wall, parts);
    if (end.status === 0) return { wall };
    said ||= end.said;
  }
  return { said: lastLine(said), isHere: true };
}

async function tryLandlock(
  parts: WallParts,
  perl: string | undefined,
): Promise<{ wall: Wall } | { said: string }> {
  const { machine, say } = parts;
  if (!perl) return { said: say("walls.no-perl") };
  const asked = await machine.run({ file: perl, args: askLandlock, cwd: "/", environment: {} });
  const version = Number.parseInt(asked.said, 10);
  if (!(version >= oldestLandlock) || !canStage(machine.arch)) return { said: say("walls.old-kernel") };
  const wall = createLandlock({ machine, say, perl, version });
  const end = await tryOut(wall, parts);
  return end.status === 0 ? { wall } : { said: lastLine(end.said) };
}

async function trySeatbelt(parts: WallParts): Promise<Found> {
  const { machine, say } = parts;
  const next = say("walls.next.engine");
  const file = await machine.which("sandbox-exec");
  if (!file) return { reason: say("walls.none.darwin", { reason: say("walls.missing") }), next };
  const wall = createSeatbelt({ machine, say, file });
  const end = await tryOut(wall, parts);
  return end.status === 0
    ? { wall }
    : { reason: say("walls.none.darwin", { reason: lastLine(end.said) }), next };
}

/** Really starts something in there. */
function tryOut(wall: Wall, { machine, trial, clock }: WallParts): Promise<ProgramEnd> {
  const environment = { PATH: "/usr/bin:/bin" };
  const call = { file: "true", args: [], cwd: trial, environment };
  const enclosure = { workdir: trial, readable: [], closed: [], network: { type: "none" } } as const;
  return machine.run(wall.enclose(call, enclosure, `trial-${process.pid}-${clock.now()}`));
}
