import { rename } from "node:fs/promises";
import type { Home } from "../../config/home.ts";
import type { Clock } from "../../infra/clock.ts";
import { fileStamp } from "../home/file-stamp.ts";

/** Renames the anchors file when another database replaces the one that it describes. */
export async function setAsideAnchors({ auditAnchorsFile: file }: Home, clock: Clock): Promise<void> {
  await rename(file, `${file}.${fileStamp(clock)}`).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
  });
}
