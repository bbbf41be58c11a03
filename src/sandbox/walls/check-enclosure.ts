/** What no wall builds on: an enclosure that would leave nothing outside. */
import { isAbsolute, normalize } from "node:path";
import type { PincerError } from "@pincer/sdk";
import { failure } from "../../infra/failure.ts";
import { isInside } from "../is-inside.ts";
import { directoriesBetween, programDirectories, systemDirectories } from "./system-paths.ts";
import type { Enclosure, ProgramCall } from "./wall.ts";

/** Writable, any of these would be the machine itself, or the sockets of its other programs. */
const tooMuch = [
  ...systemDirectories,
  ...programDirectories,
  "/boot",
  "/dev",
  "/etc",
  "/home",
  "/opt",
  "/proc",
  "/root",
  "/run",
  "/sys",
  "/tmp",
  "/usr",
  "/usr/local",
  "/var",
  "/var/run",
  "/var/tmp",
];

/** Throws PincerError `tool/failed` for an enclosure or a call that no wall may be built around. */
export function checkEnclosure(call: ProgramCall, enclosure: Enclosure): void {
  const { workdir, readable, closed, network, readOnly = [] } = enclosure;
  const socket = network.type === "broker" ? [network.socket] : [];
  for (const path of [workdir, call.cwd, ...readable, ...closed, ...socket]) {
    if (!isRealLooking(path)) throw failure("tool/failed", "walls.bad-path", { path: JSON.stringify(path) });
  }
  // Shown as a whole, it would lie over all that a wall puts up: its own /proc, /dev and /tmp.
  if (readable.includes("/"))
    throw failure("tool/failed", "walls.readable-too-wide", {}, { hint: "walls.readable-too-wide.next" });
  const unfit = readOnly.find((name) => !isNameWithin(name));
  if (unfit !== undefined) throw failure("tool/failed", "walls.bad-path", { path: JSON.stringify(unfit) });
  if (tooMuch.some((path) => isInside(path, workdir))) {
    throw failure(
      "tool/failed",
      "walls.workdir-too-wide",
      { path: workdir },
      { hint: "walls.workdir-too-wide.next" },
    );
  }
  if (closed.includes(workdir)) {
    const parameters = { path: workdir };
    throw failure("tool/failed", "walls.workdir-closed", parameters, { hint: "walls.workdir-too-wide.next" });
  }
  if (call.file === "" || Object.keys(call.environment).some((name) => !isVariableName(name))) {
    throw failure("tool/failed", "walls.bad-call");
  }
}

/**
 * For walls that hide by a path alone: a program that may rename a directory on the way to what is closed has it under another name. Throws PincerError
 * `tool/failed`.
 */
export function checkNotMovable({ workdir, closed }: Enclosure): void {
  const found = closed.find((path) => directoriesBetween(workdir, path).length > 0);
  if (found !== undefined) throw cannotHide(found, workdir);
}

/** Something closed cannot be taken out of something that is shown. */
export const cannotHide = (closed: string, path: string): PincerError =>
  failure("tool/failed", "walls.closed-in-view", { closed, path }, { hint: "walls.closed-in-view.next" });

const isRealLooking = (path: string): boolean =>
  isAbsolute(path) &&
  normalize(path) === path &&
  (path === "/" || !path.endsWith("/")) &&
  !path.includes("\0");

/** Names below a directory, one after the other, and nothing that leads out of it. */
const isNameWithin = (name: string): boolean =>
  !name.includes("\0") && name.split("/").every((part) => part !== "" && part !== "." && part !== "..");

const isVariableName = (name: string): boolean => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name);

/** Whether a program can be known by it everywhere, as a directory and as a container. */
export const isPlainName = (name: string): boolean => /^[A-Za-z0-9][A-Za-z0-9_.-]{0,100}$/.test(name);
