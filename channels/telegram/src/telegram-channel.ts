/** The Telegram channel: a bot, by polling or webhook. What it needs to speak is loaded when it connects, and not before. */
import { defineChannel } from "@pincer/sdk";
import { TelegramConfig } from "./telegram-config.ts";

export const telegramChannel = defineChannel({
  id: "telegram",
  name: "Telegram",
  config: TelegramConfig,
  // Telegram has no key that makes a second send the same as the first, and no way to ask what was sent.
  traits: { textLimit: 4096, idempotentSend: false, paceMs: 35, typingSeconds: 5, files: true },
  async connect(config, host) {
    const { openTelegram } = await import("./open-telegram.ts");
    return openTelegram(config, host);
  },
  setUp: {
    steps: {
      en: [
        "Open Telegram and write to @BotFather.",
        "Send /newbot, and choose a name and a username that ends in bot.",
        "BotFather answers with the token of the bot, such as 123456:ABC-DEF. Keep it secret: anyone who has it controls the bot.",
        "To use the bot in groups, send /setprivacy to BotFather and choose Disable, or make the bot an admin there; otherwise it sees only what speaks to it.",
      ],
      zh: [
        "打开 Telegram，给 @BotFather 发消息。",
        "发送 /newbot，然后取一个名字和一个以 bot 结尾的用户名。",
        "BotFather 会回复机器人的令牌，例如 123456:ABC-DEF。请保密：谁持有令牌，谁就是这个机器人。",
        "要在群组中使用，请向 BotFather 发送 /setprivacy 并选择 Disable，或把机器人设为群管理员；否则它只能看到对它说的话。",
      ],
    },
    async test(config, { signal }) {
      const { tryToken } = await import("./try-token.ts");
      return tryToken(config, signal);
    },
    claimLink: ({ name }, code) =>
      `https://t.me/${encodeURIComponent(name.replace(/^@/, ""))}?start=${encodeURIComponent(code)}`,
  },
});
