/**
 * Restores paths. Each is checked first: what was changed again since is left alone. Content is written to a
 * temporary file and renamed, through the checked descriptor of the directory: if a link has replaced a directory,
 * nothing is written.
 */
import { constants } from "node:fs";
import { dirname, join } from "node:path";
import {
  isMissing,
  throughHandle,
  WorkdirError,
  type NamedPlace,
  type WorkdirOpener,
} from "../workdir-opener.ts";
import type { Blobs } from "./blobs.ts";
import { errorCode, unlessMissing, type Disk } from "./disk.ts";
import { canMake, isSame, type Kept, type State } from "./kept.ts";

/** What a path holds, and what it is to hold. */
export interface Step {
  path: string;
  from: State;
  to: State;
}

export interface RestoreParts {
  opener: Pick<WorkdirOpener, "openParent" | "limits" | "changing">;
  blobs: Pick<Blobs, "copyTo">;
  disk: Disk;
  /** For what is written beside; the same for the same undoing, so that repeating it takes up what a crash left. */
  mark: string;
  /** What the path holds now; undefined if unknown. */
  look(path: string): Promise<State | undefined>;
}

export interface Unrestored {
  /** Changed again since, or not to be changed. */
  conflicts: string[];
  notKept: string[];
}

/** Throws what the disk does. Killed anywhere and repeated with the same steps, it comes to the same. */
export async function restorePaths(
  parts: RestoreParts,
  steps: readonly Step[],
  force: boolean,
): Promise<Unrestored> {
  const outcome: Unrestored = { conflicts: [], notKept: [] };
  const going: Step[] = [];
  for (const step of steps) {
    const now = await parts.look(step.path);
    if (now !== undefined && isSame(now, step.to)) continue;
    if (!canMake(step.to)) outcome.notKept.push(step.path);
    else if (now !== undefined && (force || isExpected(now, step))) going.push({ ...step, from: now });
    else outcome.conflicts.push(step.path);
  }
  const left = new Set<string>();
  for (const step of deepestFirst(going.filter(isInTheWay)))
    if (!(await inPlace(parts, step, (place) => remove(parts, place, step)))) left.add(step.path);
  const made = going.filter((step) => step.to !== null && !left.has(step.path));
  for (const step of shallowestFirst(made))
    if (!(await inPlace(parts, step, (place) => make(parts, place, step, outcome)))) left.add(step.path);
  // A directory that nobody may write to gets that mode when everything is in it.
  for (const step of deepestFirst(made.filter(({ to }) => to?.type === "directory")))
    await inPlace(parts, step, (place) => setMode(parts, place, step));
  outcome.conflicts.push(...left);
  return outcome;
}

/** What was there when it began, or what a crash half-way leaves: nothing where one kind of thing makes room for another, a directory without its mode. */
const isExpected = (now: State, { from, to }: Step): boolean =>
  isSame(now, from) ||
  (now === null && from !== null && to !== null && from.type !== to.type) ||
  (now?.type === "directory" && to?.type === "directory" && from?.type !== "directory");

const isInTheWay = ({ from, to }: Step): boolean =>
  from !== null &&
  (to === null || (from.type !== to.type && (from.type === "directory" || to.type === "directory")));

const depthOf = ({ path }: Step): number => path.split("/").length;
const deepestFirst = (steps: Step[]) => steps.toSorted((one, other) => depthOf(other) - depthOf(one));
const shallowestFirst = (steps: Step[]) => steps.toSorted((one, other) => depthOf(one) - depthOf(other));

/** False where the path cannot be reached by its own name, or the system does not let it be changed. */
async function inPlace(
  { opener, disk }: RestoreParts,
  { path, to }: Step,
  work: (place: string) => Promise<boolean>,
): Promise<boolean> {
  let named: NamedPlace;
  try {
    named = await opener.openParent(path, { make: to !== null });
  } catch (error) {
    if (to === null && isMissing(error)) return true;
    if (error instanceof WorkdirError) return false;
    throw error;
  }
  const { directory, name } = named;
  try {
    if (!(await isOwnDirectory(opener, directory.real, path))) return false;
    opener.changing(named);
    const isDone = await work(join(throughHandle(directory), name));
    await disk.sync(directory.handle);
    return isDone;
  } catch (error) {
    if (refusals.has(errorCode(error) ?? "")) return false;
    throw error;
  } finally {
    await directory.handle.close();
  }
}

const refusals = new Set([
  "EACCES",
  "EPERM",
  "EROFS",
  "ENOTEMPTY",
  "EEXIST",
  "EISDIR",
  "ENOTDIR",
  "EBUSY",
  "ELOOP",
]);

/** A link on the way leads to a directory that has another name, and what is there was never kept under this one. */
export async function isOwnDirectory(
  opener: Pick<WorkdirOpener, "limits">,
  real: string,
  path: string,
): Promise<boolean> {
  const { realRoot } = await opener.limits();
  return real === join(realRoot, dirname(path));
}

async function remove({ disk }: RestoreParts, place: string, { from }: Step): Promise<boolean> {
  await unlessMissing(from?.type === "directory" ? disk.rmdir(place) : disk.unlink(place));
  return true;
}

async function make(parts: RestoreParts, place: string, step: Step, outcome: Unrestored): Promise<boolean> {
  const { disk } = parts;
  const { to } = step;
  if (to === null) return true;
  if (to.type === "directory") {
    await disk.mkdir(place, 0o700).catch((error: unknown) => {
      if (errorCode(error) !== "EEXIST") throw error;
    });
    return true;
  }
  const beside = join(dirname(place), `.${parts.mark}`);
  await unlessMissing(disk.unlink(beside));
  try {
    if (to.type === "link") await disk.symlink(to.target, beside);
    else if (!(await writeBeside(parts, beside, to))) {
      outcome.notKept.push(step.path);
      return true;
    }
    await disk.rename(beside, place);
  } finally {
    await unlessMissing(disk.unlink(beside));
  }
  return true;
}

async function writeBeside(
  { disk, blobs }: RestoreParts,
  beside: string,
  { digest = "", mode }: Extract<Kept, { type: "file" }>,
): Promise<boolean> {
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
  const handle = await disk.create(beside, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  try {
    if (!(await blobs.copyTo(digest, handle))) return false;
    await disk.chmod(handle, mode);
    await disk.sync(handle);
    return true;
  } finally {
    await handle.close();
  }
}

async function setMode({ disk }: RestoreParts, place: string, { to }: Step): Promise<boolean> {
  const handle = await disk.open(place, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    if (to?.type === "directory") await disk.chmod(handle, to.mode);
  } finally {
    await handle.close();
  }
  return true;
}
