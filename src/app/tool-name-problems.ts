/** For those who look at a config before anything runs with it: names in it that no tool has. */
import { problemOf, type Problem } from "../config/loaded-config.ts";
import type { Config } from "../config/schema.ts";
import { showableSegment } from "../config/secret-keys.ts";
import { systemClock } from "../infra/clock.ts";
import { unknownToolNames } from "./agent-settings.ts";
import { createWorkroom } from "./agents/workroom.ts";
import { createBuiltInTools } from "./built-in-tools.ts";

/** Touches no file: what tools are called does not depend on where they work. */
export function toolNameProblems(config: Config, file: string): Problem[] {
  const place = { workdir: "/", homeRoot: "/", timezone: "UTC", layout: "flat" } as const;
  const workroom = createWorkroom({ ...place, clock: systemClock });
  const tools = createBuiltInTools({ clock: systemClock, workroom });
  return unknownToolNames(config, tools).map((name) =>
    problemOf({ severity: "warning", type: "unlisted-value", file }, "tools.unknown-rule", {
      name: showableSegment(name),
    }),
  );
}
