/** A bot in use: who it is, how messages come in, how they go out. */
import { SendError, type ChannelConnection, type ChannelHost } from "@pincer/sdk";
import { badToken, isBadToken, openBotApi, type BotApi } from "./bot-api.ts";
import { createChatPace } from "./chat-pace.ts";
import { messageNumberOf } from "./message-id.ts";
import { createReadingPlace } from "./reading-place.ts";
import { chatIdOf, createSender, threadOf } from "./send-message.ts";
import { createTaker } from "./take-updates.ts";
import type { TelegramConfig } from "./telegram-config.ts";
import { openWebhook } from "./open-webhook.ts";
import { whoAmI } from "./who-am-i.ts";
import { withinMs } from "./within-ms.ts";
import type { Intake, IntakeParts } from "./intake.ts";
import { pollSeconds, startPolling } from "./poll-updates.ts";

const connectMs = 20_000;
const smallMs = 10_000;

export async function openTelegram(config: TelegramConfig, host: ChannelHost): Promise<ChannelConnection> {
  const api = await openBotApi(config);
  const closing = new AbortController();
  const signal = AbortSignal.any([host.signal, closing.signal]);
  const small = <Answer>(work: (deadline: AbortSignal) => Promise<Answer>) =>
    withinMs(host.clock, smallMs, signal, work);
  try {
    const place = createReadingPlace(host);
    // Whoever needs it tries again: sending does without.
    await place
      .open()
      .catch((error: unknown) => host.log.warn(error instanceof Error ? error.message : String(error)));
    const me = await withinMs(host.clock, connectMs, signal, (deadline) => whoAmI(api, deadline));
    const taker = createTaker({ api, host, me, place });
    const intake = await (config.mode === "webhook" ? openWebhook : openPolling)({
      api,
      host,
      place,
      taker,
      signal,
      config,
    });
    void setCommandMenu(api, host, small);
    const sender = createSender({
      api,
      host,
      place,
      pace: createChatPace(host.clock),
      linkPreviews: config.linkPreviews,
    });
    let closed: Promise<void> | undefined;
    return {
      ...sender,
      ...(intake.heartbeatSeconds !== undefined && { heartbeatSeconds: intake.heartbeatSeconds }),
      async showTyping(target) {
        const payload = { chat_id: chatIdOf(target.peerId), ...threadOf(target), action: "typing" as const };
        await small((deadline) => api.call("sendChatAction", payload, deadline));
      },
      async react(target, messageId, emoji) {
        const number = messageNumberOf(messageId);
        if (number === undefined) throw new SendError("rejected", `${messageId} is not a Telegram message`);
        // Telegram knows its signs without the mark that asks for colours.
        const sign = emoji.replaceAll("\ufe0f", "");
        const reaction = sign === "" ? [] : [{ type: "emoji", emoji: sign }];
        const payload = { chat_id: chatIdOf(target.peerId), message_id: number, reaction };
        await small((deadline) => api.call("setMessageReaction", payload as never, deadline));
      },
      async probe(asked) {
        const { username } = await withinMs(
          host.clock,
          smallMs,
          AbortSignal.any([signal, asked]),
          (deadline) => whoAmI(api, deadline),
        );
        const trouble = await intake.trouble(asked);
        return trouble === undefined
          ? { ok: true, detail: `@${username}` }
          : { ok: false, canSend: true, detail: trouble };
      },
      resolveAllowlist: (names) =>
        Promise.all(names.map((name) => small((deadline) => resolveName(api, name, deadline)))),
      close() {
        closing.abort();
        closed ??= intake.close().finally(() => api.close());
        return closed;
      },
    };
  } catch (error) {
    closing.abort();
    api.close();
    throw isBadToken(error) ? new SendError("rejected", badToken, { cause: error }) : error;
  }
}

/** People cannot be looked up by name, groups and channels can. */
async function resolveName(
  api: BotApi,
  name: string,
  signal: AbortSignal,
): Promise<{ name: string; id?: string }> {
  if (/^-?\d{1,16}$/.test(name)) return { name, id: name };
  if (!/^@\w{4,64}$/.test(name)) return { name };
  const chat = await api.call("getChat", { chat_id: name }, signal).catch(() => undefined);
  return chat ? { name, id: String(chat.id) } : { name };
}

const mostCommands = 100;
const longestDescription = 256;

/** Puts what people may type into the menu of the bot; a name that Telegram does not take is left out. Never throws: without a menu everything works. */
async function setCommandMenu(
  api: BotApi,
  host: Pick<ChannelHost, "commands" | "log">,
  inTime: <Answer>(work: (signal: AbortSignal) => Promise<Answer>) => Promise<Answer>,
): Promise<void> {
  try {
    const commands = (host.commands?.() ?? [])
      .map(({ name, description }) => ({
        command: name,
        description: [...(description.trim() || name)].slice(0, longestDescription).join(""),
      }))
      .filter(({ command }) => /^[a-z0-9_]{1,32}$/.test(command))
      .slice(0, mostCommands);
    if (commands.length > 0) await inTime((signal) => api.call("setMyCommands", { commands }, signal));
  } catch (error) {
    host.log.debug(
      `the menu of commands was not set: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

/** Messages by polling. */
async function openPolling(parts: IntakeParts): Promise<Intake> {
  const polling = startPolling(parts);
  return {
    heartbeatSeconds: pollSeconds + 5,
    trouble: async () => polling.trouble(),
    close: () => polling.done,
  };
}
