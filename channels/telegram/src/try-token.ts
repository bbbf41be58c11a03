import type { SetUpResult } from "@pincer/sdk";
import { isBadToken, openBotApi, type BotApi } from "./bot-api.ts";
import { whoAmI } from "./who-am-i.ts";
import type { TelegramConfig } from "./telegram-config.ts";

/** Asks Telegram who the token belongs to. Never throws. */
export async function tryToken(
  config: Pick<TelegramConfig, "botToken" | "apiRoot" | "proxy">,
  signal: AbortSignal,
): Promise<SetUpResult> {
  let api: BotApi | undefined;
  try {
    api = await openBotApi(config);
    const { id, username } = await whoAmI(api, signal);
    return { ok: true, name: `@${username}`, id: String(id) };
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    return { ok: false, problem, ...(isBadToken(error) && { key: "botToken" }) };
  } finally {
    api?.close();
  }
}
