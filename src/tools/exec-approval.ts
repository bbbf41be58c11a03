/** When and why the owner is asked before a program runs. */
import type { GateReason } from "@pincer/sdk";
import { gateReason, inEnglish } from "../infra/gate-reasons.ts";
import { describeCommand } from "../sandbox/shell/describe-command.ts";
import { isSafeCommand } from "../sandbox/shell/is-safe-command.ts";
import { readCommand } from "../sandbox/shell/read-command.ts";
import type { WallChoice } from "../sandbox/walls/wall.ts";

/** The wall around a command, and its start directory. */
export interface ExecSecurity {
  choice: WallChoice;
  /** Real paths. */
  workdir: string;
  cwd: string;
}

/**
 * Why a command needs approval; undefined if it does not. Behind a wall everything is allowed; without one only
 * commands that the owner called safe. Patterns that the owner allowed are shapes (`describeExec`), which the caller
 * compares with the grants.
 */
export async function requiresExecApproval(
  command: string,
  { choice, workdir, cwd }: ExecSecurity,
  safeBins: readonly string[],
): Promise<GateReason[] | undefined> {
  if (choice.type === "walled") return undefined;
  const reading = await readCommand(command);
  if (isSafeCommand(reading, { workdir, cwd, safeBins })) return undefined;
  const { programs, writes, isDynamic } = describeCommand(reading);
  return [
    gateReason("unwalled"),
    choice.profile === "none"
      ? gateReason("sandbox-off", { source: "tools.exec.sandbox" })
      : gateReason("sandbox-fails", { error: choice.reason }),
    ...(programs.length > 0 ? [gateReason("runs", { programs: programs.join(", ") })] : []),
    ...(writes.length > 0 ? [gateReason("writes", { paths: writes.join(", ") })] : []),
    ...(isDynamic ? [gateReason("unseen")] : []),
  ];
}

/** The error of a tool that was called without the approval it needs. */
export const unapproved = (tool: string, reasons: readonly GateReason[]): Error =>
  new Error(`${tool} may not run without the owner's approval: ${inEnglish(reasons)}`);
