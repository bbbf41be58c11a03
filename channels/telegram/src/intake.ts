import type { ChannelHost } from "@pincer/sdk";
import type { BotApi } from "./bot-api.ts";
import type { ReadingPlace } from "./reading-place.ts";
import type { UpdateTaker } from "./take-updates.ts";
import type { TelegramConfig } from "./telegram-config.ts";

/** How messages come in. */
export interface Intake {
  heartbeatSeconds?: number;
  /** In words, while nothing comes in. May throw. */
  trouble(signal: AbortSignal): Promise<string | undefined>;
  /** Never throws. */
  close(): Promise<void>;
}

export interface IntakeParts {
  api: BotApi;
  host: ChannelHost;
  place: ReadingPlace;
  taker: UpdateTaker;
  /** Aborts when the connection closes. */
  signal: AbortSignal;
  config: TelegramConfig;
}
