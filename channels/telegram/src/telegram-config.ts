/** The keys under `channels.telegram` that the connector reads itself; who may write and how answers are shown is the host's. */
import { Type, type Static } from "typebox";

export const TelegramConfig = Type.Object({
  botToken: Type.String({
    minLength: 1,
    maxLength: 256,
    pattern: "^[0-9]+:[A-Za-z0-9_-]+$",
    description: "Token of the bot, from @BotFather; best as secret:<name>.",
  }),
  apiRoot: Type.String({
    pattern: "^https?://[^?#]+$",
    maxLength: 2048,
    default: "https://api.telegram.org",
    description: "Address of the Bot API, where it is not the public one.",
  }),
  proxy: Type.Optional(
    Type.String({
      pattern: "^https?://",
      maxLength: 2048,
      description: "HTTP proxy by which Telegram is reached; best as secret:<name> where it has a password.",
    }),
  ),
  mode: Type.Enum(["polling", "webhook"], {
    default: "polling",
    description:
      "Whether the bot asks for messages (works everywhere), or Telegram calls an address of yours.",
  }),
  webhookUrl: Type.Optional(
    Type.String({
      pattern: "^https?://",
      maxLength: 2048,
      description:
        "Public address that Telegram calls in webhook mode; it must lead to webhookHost:webhookPort.",
    }),
  ),
  webhookSecret: Type.Optional(
    Type.String({
      pattern: "^[A-Za-z0-9_-]{16,256}$",
      description:
        "Secret that Telegram shows with each call in webhook mode: 16 to 256 of A-Z, a-z, 0-9, _ and -.",
    }),
  ),
  webhookHost: Type.String({
    default: "127.0.0.1",
    description: "Address that the webhook listens on; a reverse proxy with a certificate stands before it.",
  }),
  webhookPort: Type.Integer({
    minimum: 0,
    maximum: 65_535,
    default: 8443,
    description: "Port that the webhook listens on.",
  }),
  webhookPath: Type.Optional(
    Type.String({
      pattern: "^/[^?#]*$",
      maxLength: 1024,
      description:
        "Path that the webhook listens on, where a proxy changes it; that of webhookUrl otherwise.",
    }),
  ),
  linkPreviews: Type.Boolean({
    default: false,
    description: "Whether Telegram shows a preview of the first link of an answer.",
  }),
});

export type TelegramConfig = Static<typeof TelegramConfig>;
