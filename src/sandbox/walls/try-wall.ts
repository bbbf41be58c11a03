import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Config } from "../../config/schema.ts";
import type { Clock } from "../../infra/clock.ts";
import type { Say } from "../../infra/texts.ts";
import { createWallChooser } from "./choose-wall.ts";
import { findMachine, type Machine } from "./machine.ts";
import type { WallChoice } from "./wall.ts";

/** Which wall would stand: for those who look at a home without working in it. A program that does nothing is really started in there. */
export async function tryWall(
  { sandbox: profile, container, microvm }: Config["tools"]["exec"],
  { say, clock, environment }: { say: Say; clock: Clock; environment: Record<string, string | undefined> },
  find: () => Promise<Machine> = findMachine,
): Promise<WallChoice> {
  const trial = await realpath(await mkdtemp(join(tmpdir(), "pincer-trial-")));
  try {
    const choose = createWallChooser({ machine: await find(), say, clock, environment, trial });
    return await choose({ profile, container, microvm });
  } finally {
    await rm(trial, { recursive: true, force: true });
  }
}
