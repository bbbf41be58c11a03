/** Who answers a command's questions: the running gateway of the home, or this process if none runs. */
import type { GatewayClient } from "../client/gateway-client.ts";
import { systemClock, type Clock } from "../infra/clock.ts";
import { isStop } from "../routing/stop-words.ts";
import type { App } from "./create-app.ts";
import { connectToGateway, type GatewayDoorParts } from "../gateway/connect-to-gateway.ts";
import type { OpenHomeOptions, OpenHomeParts } from "../storage/home/open-home.ts";
import { createRemoteAsk } from "./remote-ask.ts";

export interface AppParts extends OpenHomeParts {
  version: string;
}

/** Throws PincerError; nothing stays open then. */
export async function openApp(parts: AppParts, options: OpenHomeOptions): Promise<App> {
  const client = await connectToGateway(parts);
  if (client) return createRemoteApp(client, parts, options);
  // Half of the product, which a command that finds a gateway does without.
  const { createApp } = await import("./create-app.ts");
  return createApp(parts, options);
}

function createRemoteApp(
  client: GatewayClient,
  parts: AppParts,
  options: OpenHomeOptions,
  clock: Clock = systemClock,
): App {
  const { say } = parts;
  if (options.configProfile !== undefined) parts.notify(say("gateway.own-profile"));
  const doorParts: GatewayDoorParts = parts;
  const remote = createRemoteAsk({
    client,
    reconnect: () => connectToGateway(doorParts),
    say,
    async configured(agentId) {
      const { configuredProvider } = await import("../routing/configured-provider.ts");
      return configuredProvider(parts.environment, agentId);
    },
    clock,
    environment: parts.environment,
    cwd: parts.cwd,
    ...(options.workdir === undefined ? {} : { workdir: options.workdir }),
  });
  let own: App | undefined;
  return {
    async ask(request) {
      own ??= (await remote.isBack()) ? undefined : await goOnAlone();
      return (own ?? remote).ask(request);
    },
    isStop,
    workdir: say("gateway.workdir", { pid: client.about.pid }),
    // The gateway follows its config itself.
    watchConfig: async () => async () => {},
    async close() {
      remote.close();
      await own?.close();
    },
  };

  /** The gateway has ended since the last question: from here on this process answers. */
  async function goOnAlone(): Promise<App> {
    parts.notify(say("gateway.alone"));
    const { createApp } = await import("./create-app.ts");
    return createApp(parts, options);
  }
}
