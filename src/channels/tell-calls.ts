/** Tells the person of each tool call as it happens, in sessions that wish it: `/verbose on`. */
import { createRecent, type Destination, type ToolCallBlock } from "@pincer/sdk";
import type { TurnWatch } from "../agent/turns/turn-events.ts";
import { oneLine, shorten } from "../infra/one-line.ts";
import type { Redactor } from "../infra/redactor.ts";
import type { Say } from "../infra/texts.ts";
import type { ReplyDrafts } from "../routing/enqueue-burst.ts";
import { settingsOf } from "../routing/session-settings.ts";
import type { OutboxRow, OutboxStore } from "../storage/outbox/outbox.ts";
import type { TurnRecord } from "../storage/turns/turns.ts";

export interface CallTellingParts {
  outbox: Pick<OutboxStore, "enqueue">;
  replies: ReplyDrafts;
  wake(rows: OutboxRow[]): void;
  redactor: Pick<Redactor, "text">;
  say: Say;
  /** Called with errors: a missing line must not stop a turn. */
  onError(error: unknown): void;
}

const longest = 160;
const mostTurns = 1000;

export function tellCalls(parts: CallTellingParts): TurnWatch {
  const told = createRecent<Listener>(mostTurns);

  async function tell({ destination, isOwnerAlone }: Listener, call: ToolCallBlock): Promise<void> {
    const words = isOwnerAlone ? parts.redactor.text(callWords(call)) : call.name;
    const text = parts.say("command.verbose.call", { call: words });
    const drafts = parts.replies.drafts({ destination, turnId: null, replyTo: null, text, kind: "notice" });
    parts.wake(await parts.outbox.enqueue(drafts));
  }

  return {
    begun(turn, session) {
      const listener = settingsOf(session).verbose && listenerOf(turn);
      // One that was put aside and then cancelled never ends here: the oldest are forgotten.
      if (listener) told.set(turn.turnId, listener);
    },
    event(turn, event) {
      const listener = told.get(turn.turnId);
      if (listener && event.type === "tool-call-start") tell(listener, event.call).catch(parts.onError);
    },
    ended: ({ turnId }) => void told.delete(turnId),
  };
}

interface Listener {
  destination: Destination;
  /** Arguments may be private to the owner; others see only the name of the tool. */
  isOwnerAlone: boolean;
}

function listenerOf({ destination, person }: TurnRecord): Listener | undefined {
  if (!destination) return undefined;
  return { destination, isOwnerAlone: person.role === "owner" && destination.target.peerKind === "user" };
}

/** `exec: ls -l`; with several arguments, all of them. */
function callWords({ name, arguments: args }: ToolCallBlock): string {
  const values = Object.values(args);
  const [only] = values;
  const words = values.length === 1 && typeof only === "string" ? only : JSON.stringify(args);
  return values.length === 0 ? name : `${name}: ${shorten(oneLine(words), longest)}`;
}
