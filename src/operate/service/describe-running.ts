/** What `npm start` shows if a gateway is already running: its address and how to sign in. */
import type { GatewayClient } from "../../client/gateway-client.ts";
import { locateHome } from "../../config/home.ts";
import { loadConfig } from "../../config/load-config.ts";
import type { Say } from "../../infra/texts.ts";
import { connectToGateway, type GatewayDoorParts } from "../../gateway/connect-to-gateway.ts";
import { configNotes } from "../../storage/home/foundation.ts";
import { createServiceRecords } from "./service-record.ts";
import { welcomeLines } from "./welcome.ts";

/** Undefined when none runs. Throws `gateway/…`. */
export async function describeRunning(
  parts: GatewayDoorParts & { say: Say; signal: AbortSignal },
): Promise<string[] | undefined> {
  const client = await connectToGateway(parts);
  if (!client) return undefined;
  const { say, signal } = parts;
  try {
    const status = await client.request("gateway.status", {}, { signal });
    const home = locateHome(parts.environment);
    const record = await createServiceRecords(home).read();
    const loaded = await loadConfig({ home, environment: parts.environment });
    const facts = {
      address: record?.address ?? undefined,
      // A process that can open the home's socket belongs to the owner, and may sign in a browser.
      link: record?.address ? await signInLink(client, signal) : undefined,
      model: loaded.config.agents.defaults.model.primary,
      channels: status.channels.map(({ channel, accountId }) => `${channel}/${accountId}`),
    };
    return [
      say("gateway.is-running", { since: status.startedAt, pid: status.pid }),
      ...welcomeLines(facts, say),
      ...(status.version === parts.version
        ? []
        : [
            say("notice", {
              notice: say("service.other-version", { runs: status.version, here: parts.version }),
            }),
          ]),
      // One in the background has told only its own file.
      ...configNotes(loaded, say).map((notice) => say("notice", { notice })),
    ];
  } finally {
    client.close();
  }
}

const signInLink = async (client: GatewayClient, signal: AbortSignal): Promise<string | undefined> =>
  client.request("access.createCode", {}, { signal }).then(
    ({ link }) => link,
    () => undefined,
  );
