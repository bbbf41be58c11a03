/** Sends notices to the place that the config names; each once, in one transaction with its message. */
import { asPincerError, type ChannelLog, type Destination, type MessageAction } from "@pincer/sdk";
import type { Replies } from "./replies.ts";
import { defaultAccountId } from "./accounts.ts";
import type { Redactor } from "../infra/redactor.ts";
import type { Say } from "../infra/texts.ts";
import type { Notice } from "../storage/outbox/notice.ts";
import type { NoticeStore } from "../storage/outbox/notices.ts";
import type { OutboxRow } from "../storage/outbox/outbox.ts";
import { sayNotice } from "../infra/say-notice.ts";

export interface Notifier {
  /** There may be new notices. Never throws, never waits. */
  look(): void;
  /** Resolves when all notices are sent. */
  idle(): Promise<void>;
}

export interface NotifierParts {
  notices: Pick<NoticeStore, "untold" | "tell">;
  replies: Replies;
  say: Say;
  /** `channel:id`, or `channel/account:id`. */
  to(): string | undefined;
  wake(rows: OutboxRow[]): void;
  log: Pick<ChannelLog, "warn">;
  redactor: Pick<Redactor, "text">;
  /** The text of a notice that needs its own; `settled` if it is obsolete. May throw. */
  wordsOf?(notice: Notice): Promise<{ text: string; actions: MessageAction[] } | "settled" | undefined>;
}

const atOnce = 20;

export function createNotifier(parts: NotifierParts): Notifier {
  const { notices, replies, say, to, wake, log, redactor } = parts;
  let looking = false;
  let again = false;
  let work: Promise<void> = Promise.resolve();

  async function tellAll(): Promise<void> {
    try {
      for (;;) {
        again = false;
        const destination = destinationOf(to());
        const untold = destination ? await notices.untold(atOnce) : [];
        if (destination) for (const notice of untold) await tell(notice, destination);
        if (untold.length === 0 && !again) return;
      }
    } finally {
      // Synchronous with the last check, so that no call is lost in between.
      looking = false;
    }
  }

  async function tell(notice: Notice, destination: Destination): Promise<void> {
    const words = await parts.wordsOf?.(notice);
    if (words === "settled") return void (await notices.tell(notice.id, []));
    const { text, actions } = words ?? {
      text: say("notice.to-owner", { notice: sayNotice(notice, say) }),
      actions: [],
    };
    const told = { text: redactor.text(text), actions, kind: "notice" as const };
    wake(
      await notices.tell(notice.id, replies.drafts({ destination, turnId: null, replyTo: null, ...told })),
    );
  }

  return {
    look() {
      again = true;
      if (looking) return;
      looking = true;
      work = tellAll().catch((error: unknown) =>
        log.warn(`the owner was not told: ${asPincerError(error).message}`),
      );
    },
    idle: () => work,
  };
}

/** Split at the first colon, as owners are: ids may contain colons, channels and accounts may not. */
function destinationOf(to: string | undefined): Destination | undefined {
  const [, channel, accountId = defaultAccountId, peerId] =
    /^([^:/]+)(?:\/([^:]+))?:(.+)$/s.exec(to ?? "") ?? [];
  if (channel === undefined || peerId === undefined) return undefined;
  return { channel, accountId, target: { peerKind: "user", peerId } };
}
