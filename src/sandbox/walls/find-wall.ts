import { mkdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import type { Home } from "../../config/home.ts";
import type { Config } from "../../config/schema.ts";
import type { Clock } from "../../infra/clock.ts";
import type { Say } from "../../infra/texts.ts";
import type { WallWish } from "./choose-wall.ts";
import type { WallChoice } from "./wall.ts";

export interface WallsParts {
  home: Pick<Home, "root">;
  environment: Readonly<Record<string, string | undefined>>;
  clock: Clock;
  say: Say;
}

/** Which wall stands for these settings. Loaded and tried out with the first need, and then known. Never throws. */
export function createWalls({ home, environment, clock, say }: WallsParts) {
  let chooser: Promise<(wish: WallWish) => Promise<WallChoice>> | undefined;

  async function open(): Promise<(wish: WallWish) => Promise<WallChoice>> {
    const [{ createWallChooser }, { findMachine }] = await Promise.all([
      import("./choose-wall.ts"),
      import("./machine.ts"),
    ]);
    const trial = join(home.root, "run", "trial");
    await mkdir(trial, { recursive: true, mode: 0o700 });
    return createWallChooser({
      machine: await findMachine(),
      say,
      clock,
      environment,
      trial: await realpath(trial),
    });
  }

  return async ({
    sandbox: profile,
    container,
    microvm,
  }: Pick<Config["tools"]["exec"], "sandbox" | "container" | "microvm">): Promise<WallChoice> => {
    try {
      return await (
        await (chooser ??= open())
      )({ profile, container, microvm });
    } catch (error) {
      chooser = undefined;
      return { type: "unwalled", profile, reason: error instanceof Error ? error.message : String(error) };
    }
  };
}
