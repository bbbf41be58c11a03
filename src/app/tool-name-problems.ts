/** For those who look at a config before anything runs with it: names in it that no tool has. */
import { problemOf, type Problem } from "../config/loaded-config.ts";
import type { Config } from "../config/schema.ts";
import { showableSegment } from "../config/secret-keys.ts";
import { locateHome } from "../config/home.ts";
import { systemClock } from "../infra/clock.ts";
import { createIds } from "../infra/ids.ts";
import { createSay } from "../infra/texts.ts";
import { unknownToolNames } from "./agent-settings.ts";
import { createWorkroom } from "./agents/workroom.ts";
import { createBuiltInTools } from "./built-in-tools.ts";
import { openHands } from "./hands/open-hands.ts";

/** Touches no file: what tools are called does not depend on where they work. */
export function toolNameProblems(config: Config, file: string): Problem[] {
  const place = { workdir: "/", homeRoot: "/", timezone: "UTC", layout: "flat" } as const;
  const workroom = createWorkroom({ ...place, clock: systemClock });
  const hands = openHands({
    home: locateHome({ PINCER_HOME: "/" }),
    config: () => config,
    secrets: { resolve: async (text) => text },
    environment: {},
    redactor: { text: (text) => text },
    clock: systemClock,
    ids: createIds(),
    say: createSay("en"),
    onError: () => {},
  });
  const tools = createBuiltInTools({ clock: systemClock, workroom }, hands.toolsIn("/"));
  return unknownToolNames(config, tools).map((name) =>
    problemOf({ severity: "warning", type: "unlisted-value", file }, "tools.unknown-rule", {
      name: showableSegment(name),
    }),
  );
}
