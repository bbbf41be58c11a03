import { SendError } from "@pincer/sdk";
import type { BotApi } from "./bot-api.ts";

/** The bot itself. */
export interface BotIdentity {
  id: number;
  username: string;
}

/** Throws SendError. */
export async function whoAmI(api: BotApi, signal: AbortSignal): Promise<BotIdentity> {
  const { id, username } = (await api.call("getMe", undefined as never, signal)) ?? {};
  if (!Number.isSafeInteger(id) || typeof username !== "string") {
    throw new SendError(
      "unavailable",
      "what answers at channels.telegram.apiRoot does not speak as the Bot API does",
    );
  }
  return { id, username };
}
