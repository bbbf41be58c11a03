/** Starts a command for a session: what was planned and nothing else, behind the wall that it was planned for. */
import { accessSync, constants } from "node:fs";
import type { Destination } from "@pincer/sdk";
import { holdDirectory, type HeldDirectory } from "../sandbox/programs/file-identity.ts";
import type { RunningProgram } from "../sandbox/programs/program.ts";
import { programMark } from "../sandbox/programs/process-table.ts";
import type { ProgramCall, WallChoice } from "../sandbox/walls/wall.ts";
import { requiresExecApproval, unapproved } from "./exec-approval.ts";
import type { ExecParts } from "./exec-parts.ts";
import { exactOf, outside, planCommand, whatDiffers, type Wish } from "./exec-plan.ts";

export interface CommandStart extends Wish {
  sessionKey: string;
  turnId: string | undefined;
  destination: Destination | undefined;
  /** The owner wrote it or said yes to it: it may run without a wall. */
  isApproved: boolean;
  /** What the owner said yes to; where it would be anything else by now, nothing is started. */
  exact?: string | undefined;
  /** Nothing that it is about may leave the house. */
  isSensitive?: boolean | undefined;
  /** Whether there is somebody who could type into it. */
  input: "terminal" | "none";
}

/** Throws PincerError, and an Error where the owner would have to be asked first, or said yes to something else. */
export async function startCommand(parts: ExecParts, start: CommandStart): Promise<RunningProgram> {
  const plan = await planCommand(parts, start);
  const { command, choice, cwd, shell } = plan;
  // Asked of the very wall that it starts behind: the one of an earlier question may not stand any more.
  const security = { choice, workdir: plan.workdir, cwd };
  const reason = start.isApproved
    ? undefined
    : await requiresExecApproval(command, security, parts.settings().safeBins);
  if (reason !== undefined) throw unapproved("exec", reason);
  const reach = start.isSensitive ? "nowhere" : "allowed";
  const place = choice.type === "walled" ? await parts.enclosure(reach) : undefined;
  // What the owner wrote or read before is the owner's, also in such a file.
  const watch = start.isApproved ? undefined : await parts.watch?.(howShown(choice));
  const enclosure = place && { ...place, readOnly: watch?.there ?? [] };
  let held: HeldDirectory | undefined;

  try {
    return await parts.programs.start({
      command,
      cwd,
      sessionKey: start.sessionKey,
      turnId: start.turnId,
      destination: start.destination,
      timeoutMs: plan.timeoutMs,
      wall: choice.type === "walled" ? choice.wall.kind : undefined,
      end: choice.type === "walled" ? (id) => choice.wall.end?.(id) ?? Promise.resolve() : undefined,
      watch,
      call(id) {
        // What was looked at is what is started from: a link may have been put there since.
        held = holdDirectory(cwd);
        if (!held) throw outside(start.cwd ?? ".");
        if (start.exact !== undefined) refuseChanged(start.exact, exactOf(plan, held.id));
        // Inside the wall, too: whatever leaves its process group is known by it.
        const environment = { ...plan.environment, [programMark]: id };
        const args = start.input === "none" ? ["-c", withoutInput, shell, command] : ["-c", command];
        const call = { file: shell, args, cwd, directoryId: held.id, environment };
        return choice.type === "walled" && enclosure
          ? choice.wall.enclose(call, enclosure, id)
          : within(call, held);
      },
    });
  } catch (error) {
    watch?.end();
    throw error;
  } finally {
    held?.release();
  }
}

/** Landlock only ever adds: what may be written beside them may be written in them. */
const howShown = (choice: WallChoice): "read-only" | "writable" =>
  choice.type === "walled" && choice.wall.kind !== "landlock" ? "read-only" : "writable";

function refuseChanged(approved: string, now: string): void {
  if (approved !== now) throw changed(whatDiffers(approved, now));
}

const changed = (what: string): Error =>
  new Error(`not run: what was approved is no longer what would run (${what} has changed); ask again`);

/** A shell that reads the command as its own, with nothing to read from. */
const withoutInput = 'exec "$0" -c "$1" </dev/null';

/**
 * Starts in the directory that is held and no other, whatever is put in its place meanwhile. Whoever opens a terminal names the directory in PWD as it was
 * given, so that is set right on the way.
 */
function within(call: ProgramCall, { path }: HeldDirectory): ProgramCall {
  if (path === call.cwd || call.file.includes("=") || !isThere(envFile)) return call;
  return { ...call, file: envFile, args: [`PWD=${call.cwd}`, call.file, ...call.args], cwd: path };
}

const envFile = "/usr/bin/env";

function isThere(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    // Then it starts by the name, which was looked at a moment before.
    return false;
  }
}
