/** The built-in tools, only for their names: nothing is behind them, and they never run. */
import { locateHome } from "../config/home.ts";
import type { Config } from "../config/schema.ts";
import { systemClock } from "../infra/clock.ts";
import { createIds } from "../infra/ids.ts";
import { createSay } from "../infra/texts.ts";
import type { ConversationAccess } from "../tools/conversation/conversation-access.ts";
import { createAgentWorkspace } from "./agents/agent-workspace.ts";
import { createBuiltInTools } from "./built-in-tools.ts";
import { openEffects } from "./effects/open-effects.ts";

type NamedTools = ReturnType<typeof createBuiltInTools>;

/** Those that speak into conversations only where doors are given. Touches no file: names do not depend on where tools work. */
export function nameTools(config: Config, conversation?: ConversationAccess): NamedTools {
  const place = { workdir: "/", homeRoot: "/", timezone: "UTC", layout: "flat" } as const;
  const agentWorkspace = createAgentWorkspace({ ...place, clock: systemClock });
  const effects = openEffects({
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
  const parts = { clock: systemClock, agentWorkspace, ...(conversation ? { conversation } : {}) };
  return createBuiltInTools(parts, effects.toolsIn("/"));
}
