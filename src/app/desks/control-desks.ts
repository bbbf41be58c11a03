/** The desks of the house, each opened when somebody first goes to it: an idle gateway needs none of them. */
import { sayProblem } from "../../config/loaded-config.ts";
import { createSay } from "../../infra/texts.ts";
import type { Language } from "../../infra/texts/table.ts";
import type { MethodHandlers } from "../../gateway/method-calls.ts";
import type { ControlDeskParts } from "./control-parts.ts";
import { controlVerbs, type ControlDesks } from "./control-verbs.ts";
import { deskHandlers, deskWhenNeeded } from "./desk.ts";

/** By which whatever changes the config does it: one editor, and one way in which a running gateway takes it up. */
export function configHands(parts: ControlDeskParts) {
  const { ground, environment, house } = parts;
  const inLanguage = (language: Language | undefined) => (language ? createSay(language) : parts.say);
  const editor = {
    home: ground.home,
    secrets: ground.foundation.secrets,
    clock: ground.clock,
    author: "user" as const,
    environment,
  };
  const takeUp = async (language: Language | undefined) => {
    if (!house) return { inForce: null, problems: [] };
    const problems = await house.reload();
    const words = problems.map((problem) => sayProblem(problem, inLanguage(language)));
    return { inForce: problems.length === 0, problems: words };
  };
  return { inLanguage, editor, takeUp };
}

export function createControlDesks(parts: ControlDeskParts): ControlDesks {
  const { ground, house } = parts;
  const { inLanguage, editor, takeUp } = configHands(parts);
  const changing = { ...parts, editor, takeUp };
  return {
    agents: deskWhenNeeded(controlVerbs.agents, async () =>
      (await import("./agents-desk.ts")).createAgentsDesk(changing),
    ),
    channels: deskWhenNeeded(controlVerbs.channels, async () =>
      (await import("./channels-desk.ts")).createChannelsDesk({ ...changing, inLanguage }),
    ),
    config: deskWhenNeeded(controlVerbs.config, async () =>
      (await import("./config-desk.ts")).createConfigDesk({
        ...changing,
        home: ground.home,
        // What a gateway works with may be more than its file says.
        ...(house ? { inForce: parts.config } : {}),
      }),
    ),
    health: deskWhenNeeded(controlVerbs.health, async () =>
      (await import("./health-desk.ts")).createHealthDesk({ ...parts, inLanguage }),
    ),
    logs: deskWhenNeeded(controlVerbs.logs, async () =>
      (await import("./logs-desk.ts")).createLogsDesk({
        file: ground.home.gatewayLogFile,
        clock: ground.clock,
        stopping: house?.stopping,
      }),
    ),
    reach: deskWhenNeeded(controlVerbs.reach, async () =>
      (await import("./reach-desk.ts")).createReachDesk({ ground, config: parts.config, house }),
    ),
    send: deskWhenNeeded(controlVerbs.send, async () =>
      (await import("./send-desk.ts")).createSendDesk(parts),
    ),
  };
}

/** The handlers by which a gateway offers them. */
export const controlHandlers = (desks: ControlDesks): Partial<MethodHandlers> => ({
  ...deskHandlers("agents", desks.agents),
  ...deskHandlers("channels", desks.channels),
  ...deskHandlers("config", desks.config),
  ...deskHandlers("health", desks.health),
  ...deskHandlers("logs", desks.logs),
  ...deskHandlers("reach", desks.reach),
  ...deskHandlers("send", desks.send),
});
