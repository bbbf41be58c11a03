/** What the owner is asked about before a program runs, and why. */
import { describeCommand } from "../sandbox/shell/describe-command.ts";
import { isSafeCommand } from "../sandbox/shell/is-safe-command.ts";
import { readCommand } from "../sandbox/shell/read-command.ts";
import type { WallChoice } from "../sandbox/walls/wall.ts";

export interface CommandInPlace {
  command: string;
  /** Real paths. */
  workdir: string;
  cwd: string;
  /** What the owner called safe. */
  safeBins: readonly string[];
}

/** Without a wall the owner is asked, unless nothing but what the owner called safe is run. Undefined: nobody needs to be. */
export async function whyAsk(choice: WallChoice, place: CommandInPlace): Promise<string | undefined> {
  if (choice.type === "walled") return undefined;
  const reading = await readCommand(place.command);
  if (isSafeCommand(reading, place)) return undefined;
  const { programs, writes, isDynamic } = describeCommand(reading);
  const said = [
    programs.length > 0 ? `it runs ${programs.join(", ")}` : "",
    writes.length > 0 ? `it writes ${writes.join(", ")}` : "",
    isDynamic ? "not all of it can be seen before" : "",
  ].filter((each) => each !== "");
  return [`it would run outside any sandbox (${choice.reason})`, ...said].join("; ");
}

/** Said by a tool that was called without the approval that it needs. */
export const unapproved = (tool: string, reason: string): Error =>
  new Error(`${tool} may not run without the owner's approval: ${reason}`);
