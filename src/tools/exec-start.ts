/** Starts a command for a session: exactly what was planned, behind the planned wall. */
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
  /** The owner wrote or approved it: it may run without a wall. */
  isApproved: boolean;
  /** What the owner approved; if the plan differs by now, nothing is started. */
  exact?: string | undefined;
  /** Its data must not leave this machine. */
  isSensitive?: boolean | undefined;
  /** What it may not change unless it is approved; `all`: texts of others may have a say in it. */
  guards: "steering" | "all";
  /** Whether anybody could type into it. */
  input: "terminal" | "none";
}

/** Throws PincerError, and an Error if it needs approval first, or if the owner approved something else. */
export async function startCommand(parts: ExecParts, start: CommandStart): Promise<RunningProgram> {
  const plan = await planCommand(parts, start);
  const { command, choice, cwd, shell } = plan;
  // Checks the wall that is used now: the earlier one may be gone.
  const security = { choice, workdir: plan.workdir, cwd };
  const reasons = start.isApproved
    ? undefined
    : await requiresExecApproval(command, security, parts.settings().safeBins);
  if (reasons) throw unapproved("exec", reasons);
  const reach = start.isSensitive ? "nowhere" : "allowed";
  const place = choice.type === "walled" ? await parts.enclosure(reach) : undefined;
  // What the owner wrote or read before is the owner's, also in such a file.
  const watch = start.isApproved ? undefined : await parts.watch?.(howShown(choice), start.guards);
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
      writes: enclosure ? { below: enclosure.workdir } : "everywhere",
      end: choice.type === "walled" ? (id) => choice.wall.end?.(id) ?? Promise.resolve() : undefined,
      watch,
      call(id) {
        // Starts from the directory that was checked: a link may have replaced it since.
        held = holdDirectory(cwd);
        if (!held) throw outside(start.cwd ?? ".");
        if (start.exact !== undefined) refuseChanged(start.exact, exactOf(plan, held.id));
        // Set inside the wall, too: it identifies processes that leave the process group.
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

/** Landlock rules only add: a file in a writable directory is writable. */
const howShown = (choice: WallChoice): "read-only" | "writable" =>
  choice.type === "walled" && choice.wall.kind !== "landlock" ? "read-only" : "writable";

function refuseChanged(approved: string, now: string): void {
  if (approved !== now) throw changed(whatDiffers(approved, now));
}

const changed = (what: string): Error =>
  new Error(`not run: what was approved is no longer what would run (${what} has changed); ask again`);

/** The shell reads the command as an argument and has no input. */
const withoutInput = 'exec "$0" -c "$1" </dev/null';

/**
 * Starts in the held directory, even if another takes its name meanwhile. Opening a terminal sets PWD from the given
 * name, so PWD is corrected.
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
    // Then it starts by the name that was checked a moment before.
    return false;
  }
}
