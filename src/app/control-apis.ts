/** The APIs of the gateway, each opened when somebody first goes to it: an idle gateway needs none of them. */
import { configEditing } from "../gateway/methods/config-editing.ts";
import type { ControlApiParts } from "../gateway/methods/control-parts.ts";
import { lazyApi, type Api } from "../gateway/methods/api.ts";
import { connectorKeys, included } from "./connectors.ts";

export interface ControlApis {
  agents: Api<"agents">;
  channels: Api<"channels">;
  config: Api<"config">;
  health: Api<"health">;
  logs: Api<"logs">;
  reach: Api<"reach">;
  send: Api<"send">;
}

export function createControlApis(parts: ControlApiParts): ControlApis {
  const { openedHome, running } = parts;
  const { inLanguage, editor, takeUp } = configEditing(parts);
  const changing = { ...parts, editor, takeUp };
  return {
    agents: lazyApi(async () => (await import("../gateway/methods/agents-api.ts")).createAgentsApi(changing)),
    channels: lazyApi(async () =>
      (await import("../gateway/methods/channels-api.ts")).createChannelsApi({
        ...changing,
        connectors: included,
        inLanguage,
      }),
    ),
    config: lazyApi(async () =>
      (await import("../gateway/methods/config-api.ts")).createConfigApi({
        ...changing,
        home: openedHome.home,
        channelKeys: connectorKeys,
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
