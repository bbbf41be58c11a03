/** Follows the config while the gateway runs: whoever has to be told of a change is told here. */
import type { Memory } from "../../memory/following/memory.ts";
import type { ConnectedChannels } from "../../channels/channel-host.ts";
import { needsRestart } from "../../operate/service/needs-restart.ts";
import { followConfig, withSecrets, type ConfigFollower } from "../connectors.ts";
import type { GatewayBase } from "./open-base.ts";

export function followChanges(
  { gatewayContext, parts, trail, bus }: GatewayBase,
  {
    host,
    memory,
    restart,
  }: {
    host: Pick<ConnectedChannels, "update">;
    memory: Pick<Memory, "refresh">;
    /** Told of the keys that only a new start can follow. */
    restart(why: string[]): void;
  },
): Promise<ConfigFollower> {
  const { openedHome, config, log, trouble } = gatewayContext;
  const told = (error: unknown) => trouble("channels", error);
  let changing = Promise.resolve();
  return followConfig(openedHome, parts, log, async (changed) => {
    // The file does not say who wrote it; where it was somebody by a request, the row of that request does.
    trail.configChanged(config(), changed, "config");
    bus.publish({ event: "config.changed", payload: { inForce: true } });
    const why = needsRestart(config(), changed);
    if (why.length > 0) restart(why);
    // As the config has them by then: of several changes in a row the last one counts.
    const adopted = gatewayContext.adopt(changed).catch(told);
    changing = changing
      .then(() => adopted)
      .then(async () =>
        host.update(await withSecrets(gatewayContext.accounts(), openedHome.foundation.secrets)),
      )
      .catch(told);
    await adopted;
    memory.refresh();
  });
}
