/** `pincer gateway run`: the gateway in the foreground, until somebody stops it or the disk is lost. */
import type { GroundParts } from "../open-ground.ts";
import { checkChannels } from "./check-channels.ts";
import { createGateway, type GatewayOptions } from "./create-gateway.ts";

export interface RunGatewayParts extends GroundParts {
  version: string;
  signal: AbortSignal;
  /** One line for whoever watches. */
  tell(message: string): void;
}

/** Resolves to the exit status: 0 when it was stopped, 1 when it had to stop. Throws PincerError when it cannot start. */
export async function runGateway(parts: RunGatewayParts, options: GatewayOptions): Promise<number> {
  const { say, tell, signal } = parts;
  await checkChannels(parts, options);
  const gateway = await createGateway(parts, options);
  const names = gateway.accounts().filter(({ enabled }) => enabled);
  const channels = names.map(({ channel, accountId }) => `${channel}/${accountId}`).join(", ");
  tell(say("gateway.ready", { pid: process.pid, socket: gateway.socket, channels: channels || "–" }));

  const ended = await Promise.race([
    gateway.failed.then((error) => ({ type: "failed" as const, error })),
    gateway.stopAsked.then(() => ({ type: "asked" as const })),
    untilAborted(signal).then(() => ({ type: "asked" as const })),
  ]);
  if (ended.type === "failed") {
    // Nothing can be stored any more, so nothing may be finished: what is on the disk is what the next start goes on with.
    tell(say("gateway.lost-disk", { reason: ended.error.message }));
    return 1;
  }
  tell(say("gateway.stopping"));
  await gateway.stop();
  tell(say("gateway.has-stopped"));
  return 0;
}

const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
