import { systemClock, type Clock } from "../../infra/clock.ts";
import {
  connectToGateway,
  languageAt,
  type ConnectToGateway,
  type GatewayDoorParts,
} from "../../gateway/connect-to-gateway.ts";

export type ReloadOutcome =
  | { type: "not-running" }
  | { type: "in-force" }
  | { type: "refused"; problems: string[] }
  /** One runs, and takes the file up by itself sooner or later. */
  | { type: "no-answer" };

/** Beyond that the caller is not kept waiting. */
const patienceMs = 5000;

/**
 * Makes the running gateway load the config that was just written, and waits until it has. Never throws: the config is
 * written, whether or not a gateway follows it.
 */
export async function reloadGateway(
  parts: GatewayDoorParts,
  { connect = connectToGateway, clock = systemClock }: { connect?: ConnectToGateway; clock?: Clock } = {},
): Promise<ReloadOutcome> {
  const enough = new AbortController();
  const late = clock.sleep(patienceMs, enough.signal).then(
    () => noAnswer,
    () => noAnswer,
  );
  try {
    return await Promise.race([ask(), late]);
  } catch {
    return noAnswer;
  } finally {
    enough.abort();
  }

  async function ask(): Promise<ReloadOutcome> {
    const client = await connect(parts);
    if (!client) return { type: "not-running" };
    try {
      const language = languageAt(client, parts);
      const { signal } = enough;
      const { inForce, problems } = await client.request("gateway.reload", { language }, { signal });
      return inForce ? { type: "in-force" } : { type: "refused", problems };
    } finally {
      client.close();
    }
  }
}

const noAnswer: ReloadOutcome = { type: "no-answer" };
