/** Whether the channels that somebody asks for are in the config. */
import { failure } from "../infra/failure.ts";
import { openFoundation, type FoundationParts } from "../storage/home/foundation.ts";
import type { GatewayOptions } from "./gateway.ts";

/** Throws `usage/not-found`, before anything is opened. */
export async function checkChannels(
  parts: FoundationParts,
  { channels = [], configProfile }: Pick<GatewayOptions, "channels" | "configProfile">,
): Promise<void> {
  if (channels.length === 0) return;
  const said: string[] = [];
  const notify = (message: string) => void said.push(message);
  const { loaded } = await openFoundation({ ...parts, configProfile, notify });
  const known = Object.keys(loaded.config.channels);
  const name = channels.find((each) => !known.includes(each));
  // Whoever opens the home next says what is not as it should be.
  if (name === undefined) return;
  for (const message of said) parts.notify(message);
  throw failure(
    "usage/not-found",
    "gateway.no-channel",
    { name, known: known.join(", ") },
    { hint: known.length > 0 ? "gateway.no-channel.hint" : "gateway.no-channels.hint" },
  );
}
