/** Follows the config while the gateway runs, and notifies every part that needs to know of a change. */
import type { Memory } from "../../memory/following/memory.ts";
import type { ConnectedChannels } from "../../channels/channel-host.ts";
import { maskText, openConfigHistory } from "../../config/config-history.ts";
import { readIfThere } from "../../config/read-regular-file.ts";
import { needsRestart } from "../../operate/service/needs-restart.ts";
import { withSecrets } from "../../channels/account-secrets.ts";
import { followConfig, type ConfigFollower } from "../../gateway/follow-config.ts";
import type { OpenHome } from "../../storage/home/open-home.ts";
import { agentPolicies } from "../../storage/home/agent-policies.ts";
import type { GatewayBase } from "./open-base.ts";

/** Its `close` waits until the author of the last change is known: a change that leads to a restart is recorded, too. */
export async function followChanges(
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
  let noting: Promise<unknown> = Promise.resolve();
  const follower = await followConfig(openedHome, parts, log, async (changed) => {
    const before = config();
    const noted = whoChanged(openedHome).then((actor) => trail.configChanged(before, changed, actor), told);
    noting = Promise.all([noting, noted]);
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
    await openedHome.stores.directory
      .keepAgents(openedHome.workspaceId, agentPolicies(changed))
      .catch((error: unknown) => trouble("agents", error));
    memory.refresh();
  });
  return {
    reload: follower.reload,
    async close() {
      await follower.close();
      await noting;
    },
  };
}

/** Who wrote the config as it is now. The file is there a moment before the record of its change: that is waited for. */
async function whoChanged({ home, clock }: Pick<OpenHome, "home" | "clock">): Promise<string> {
  const history = openConfigHistory(home.configHistoryDir);
  for (let tries = 1; ; tries++) {
    const last = await history.last();
    const text = await readIfThere(home.configFile);
    const isRecorded = last && (text === undefined ? null : (maskText(text)?.text ?? null)) === last.text;
    if (isRecorded || tries === mostTries) return last?.by ?? last?.author ?? "hand";
    await clock.sleep(pauseMs);
  }
}

const mostTries = 20;
const pauseMs = 50;
