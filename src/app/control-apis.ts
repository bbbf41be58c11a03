/** The APIs of the gateway, each opened when somebody first goes to it: an idle gateway needs none of them. */
import { sayProblem } from "../config/loaded-config.ts";
import { createSay } from "../infra/texts.ts";
import type { Language } from "../infra/texts/table.ts";
import type { ControlApiParts } from "../gateway/methods/control-parts.ts";
import { lazyApi, type Api } from "../gateway/methods/api.ts";

export interface ControlApis {
  agents: Api<"agents">;
  channels: Api<"channels">;
  config: Api<"config">;
  health: Api<"health">;
  logs: Api<"logs">;
  reach: Api<"reach">;
  send: Api<"send">;
}

/** By which whatever changes the config does it: one editor, and one way in which a running gateway takes it up. */
export function configEditing(parts: ControlApiParts) {
  const { openedHome, environment, running } = parts;
  const inLanguage = (language: Language | undefined) => (language ? createSay(language) : parts.say);
  const editor = {
    home: openedHome.home,
    secrets: openedHome.foundation.secrets,
    clock: openedHome.clock,
    author: "user" as const,
    environment,
  };
  const takeUp = async (language: Language | undefined) => {
    if (!running) return { inForce: null, problems: [] };
    const problems = await running.reload();
    const words = problems.map((problem) => sayProblem(problem, inLanguage(language)));
    return { inForce: problems.length === 0, problems: words };
  };
  return { inLanguage, editor, takeUp };
}

export function createControlApis(parts: ControlApiParts): ControlApis {
  const { openedHome, running } = parts;
  const { inLanguage, editor, takeUp } = configEditing(parts);
  const changing = { ...parts, editor, takeUp };
  return {
    agents: lazyApi(async () => (await import("../gateway/methods/agents-api.ts")).createAgentsApi(changing)),
    channels: lazyApi(async () =>
      (await import("./channels-api.ts")).createChannelsApi({ ...changing, inLanguage }),
    ),
    config: lazyApi(async () =>
      (await import("../gateway/methods/config-api.ts")).createConfigApi({
        ...changing,
        home: openedHome.home,
        // What a gateway works with may be more than its file says.
        ...(running ? { inForce: parts.config } : {}),
      }),
    ),
    health: lazyApi(async () =>
      (await import("../gateway/methods/health-api.ts")).createHealthApi({ ...parts, inLanguage }),
    ),
    logs: lazyApi(async () =>
      (await import("../gateway/methods/logs-api.ts")).createLogsApi({
        file: openedHome.home.gatewayLogFile,
        clock: openedHome.clock,
        stopping: running?.stopping,
      }),
    ),
    reach: lazyApi(async () =>
      (await import("../operate/reach/reach-api.ts")).createReachApi({
        openedHome,
        config: parts.config,
        running,
      }),
    ),
    send: lazyApi(async () => (await import("../gateway/methods/send-api.ts")).createSendApi(parts)),
  };
}
