import { access, constants, stat } from "node:fs/promises";
import type { Say } from "../../infra/texts.ts";

/** Why the directory of the home cannot be worked in, in words; undefined when it can. Makes nothing. */
export async function findHomeFlaw(
  root: string,
  say: Say,
): Promise<"absent" | { reason: string } | undefined> {
  try {
    if (!(await stat(root)).isDirectory()) return { reason: say("doctor.home.no-directory", { root }) };
    await access(root, constants.R_OK | constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return "absent";
    return { reason: say("doctor.home.unusable", { root, reason: message }) };
  }
}
