/** How fast Telegram lets a bot speak in one chat: about once a second, and twenty times a minute in a group. */
import type { ChannelHost } from "@pincer/sdk";

export interface ChatPace {
  /** Something was sent there, which nothing holds back. */
  note(chat: string): void;
  /** Waits until the chat takes one more change, and counts it. Throws when the signal aborts. */
  turn(chat: string, kind: "user" | "group" | "room", signal: AbortSignal): Promise<void>;
}

/** How many calls may follow at once, such as a message and its last edit; after that one per second. */
const burst = 2;
const leastMs = 1000;
const windowMs = 60_000;
const mostInGroup = 18;

export function createChatPace(clock: ChannelHost["clock"]): ChatPace {
  const chats = new Map<string, number[]>();

  function recent(chat: string): number[] {
    const times = (chats.get(chat) ?? []).filter((time) => clock.monotonic() - time < windowMs);
    chats.set(chat, times);
    return times;
  }

  function note(chat: string): void {
    recent(chat).push(clock.monotonic());
    if (chats.size <= 1000) return;
    for (const other of chats.keys()) if (recent(other).length === 0) chats.delete(other);
  }

  return {
    note,
    async turn(chat, kind, signal) {
      const times = recent(chat);
      const before = times.at(-burst);
      const afterLast = before === undefined ? 0 : before + burst * leastMs;
      const oldest = kind === "user" ? undefined : times.at(-mostInGroup);
      const at = Math.max(afterLast, oldest === undefined ? 0 : oldest + windowMs);
      if (at > clock.monotonic()) await clock.sleep(at - clock.monotonic(), signal);
      note(chat);
    },
  };
}
