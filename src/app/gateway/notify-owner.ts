/** Sends what needs the owner to where the config says they want to read it; each notice once, in one transaction with its message. */
import { asPincerError, type Destination } from "@pincer/sdk";
import type { Replies } from "../../channels/replies.ts";
import type { Say } from "../../infra/texts.ts";
import type { NoticeStore, OutboxRow } from "../../storage/message-stores.ts";
import { sayNotice } from "../desks/say-notice.ts";
import type { GatewayLog } from "./gateway-log.ts";

export interface Notifier {
  /** There may be something new to tell. Never throws, never waits. */
  look(): void;
}

export interface NotifierParts {
  notices: Pick<NoticeStore, "untold" | "tell">;
  replies: Replies;
  say: Say;
  /** `channel:id`, or `channel:account:id`. */
  to(): string | undefined;
  wake(rows: OutboxRow[]): void;
  log: GatewayLog;
}

const atOnce = 20;

export function createNotifier({ notices, replies, say, to, wake, log }: NotifierParts): Notifier {
  let looking = false;
  let again = false;

  async function tellAll(destination: Destination): Promise<void> {
    do {
      again = false;
      for (const notice of await notices.untold(atOnce)) {
        const text = say("notice.to-owner", { notice: sayNotice(notice, say) });
        const drafts = replies.drafts({ destination, turnId: null, replyTo: null, text, kind: "notice" });
        wake(await notices.tell(notice.id, drafts));
      }
    } while (again);
  }

  return {
    look() {
      const destination = destinationOf(to());
      if (!destination) return;
      again = true;
      if (looking) return;
      looking = true;
      tellAll(destination)
        .catch((error: unknown) => log.warn(`the owner was not told: ${asPincerError(error).message}`))
        .finally(() => (looking = false));
    },
  };
}

function destinationOf(to: string | undefined): Destination | undefined {
  const [channel, ...rest] = to?.split(":") ?? [];
  const peerId = rest.pop();
  if (!channel || !peerId) return undefined;
  const accountId = rest.join(":") || "default";
  return { channel, accountId, target: { peerKind: "user", peerId } };
}
