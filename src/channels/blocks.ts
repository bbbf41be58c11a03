/**
 * Sends an answer in finished blocks while it grows. The last block waits for the end of the turn, which sends
 * whatever is missing. After a crash the outbox says which blocks were sent, so a restarted turn does not repeat
 * them.
 */
import type { ChannelLog, Destination } from "@pincer/sdk";
import type { Redactor } from "../infra/redactor.ts";
import type { OutboxRow, OutboxStore } from "../storage/outbox/outbox.ts";
import { normaliseText } from "./normalise-text.ts";
import { reasonOf } from "./delivery-step.ts";
import type { Replies } from "./replies.ts";

export interface BlockTurn {
  turnId: string;
  destination: Destination;
  replyTo: string | null;
}

export interface GrowingBlocks {
  /** Adds a finished block. Never throws, never waits. */
  add(text: string): void;
  /** Another text begins: sends what was held back. */
  nextText(): void;
  /** Discards what was said since the last text began. */
  startOver(): void;
  /** Resolves when it sends nothing more. Safe to call twice. Never throws. */
  close(): Promise<void>;
}

export interface Blocks {
  forTurn(turn: BlockTurn): GrowingBlocks;
  /** The text of a turn without the blocks that were sent; the whole text if they are not its beginning. */
  rest(turnId: string, text: string): string;
  forget(turnId: string): void;
}

const mark = "block ";
const mostRead = 500;

export function createBlocks(parts: {
  outbox: Pick<OutboxStore, "enqueue" | "list">;
  replies: Replies;
  wake(rows: OutboxRow[]): void;
  log: Pick<ChannelLog, "warn">;
  redactor: Pick<Redactor, "text">;
  streamingOf(destination: Destination): "off" | "edit" | "blocks";
  /** How many blocks are sent at most before the end; the end sends the rest as it sends what is long. */
  mostBlocks?(): number;
  /** Whether a block may be shown before the whole text is known. Pure. */
  mayShow(text: string): boolean;
}): Blocks {
  const { outbox, replies, wake, log, redactor } = parts;
  /** The blocks of the current text that were sent or are being sent, by turn. */
  const said = new Map<string, string[]>();
  const none: GrowingBlocks = { add() {}, nextText() {}, startOver() {}, close: async () => {} };

  function start(turn: BlockTurn): GrowingBlocks {
    const { turnId } = turn;
    let held: string | undefined;
    let isStopped = false;
    let count = 0;
    let before: string[] = [];
    said.set(turnId, []);
    let work: Promise<void> = outbox.list({ limit: mostRead, turnId }).then((rows) => {
      const sent = rows.filter(({ dedupeKey }) => dedupeKey?.startsWith(mark)).toReversed();
      before = sent.map(({ text }) => normaliseText(text));
      count = sent.length;
    });

    async function send(text: string): Promise<void> {
      if (isStopped || count >= (parts.mostBlocks?.() ?? Infinity)) return;
      const words = redactor.text(text);
      const replyTo = count === 0 ? turn.replyTo : null;
      const drafts = replies.drafts({ ...turn, replyTo, text: words, kind: "reply" });
      const known = before.findIndex((_, at) =>
        drafts.every((draft, index) => before[at + index] === normaliseText(draft.text)),
      );
      // The resumed turn says something else than before the interruption: its end sends everything.
      if (known === -1 && before.length > 0) return stop();
      if (known === -1) {
        const keyed = drafts.map((draft, index) => ({ ...draft, dedupeKey: `${mark}${count + index}` }));
        wake(await outbox.enqueue(keyed));
      } else before = before.slice(known + drafts.length);
      count += drafts.length;
      said.get(turnId)?.push(words);
    }
    const stop = () => {
      isStopped = true;
      said.set(turnId, []);
    };
    const queue = (step: () => Promise<void> | void) => {
      work = work.then(step).catch((error: unknown) => {
        log.warn(`the pieces of an answer come with its end: ${reasonOf(error)}`);
        isStopped = true;
      });
    };
    const release = () => {
      const text = held;
      held = undefined;
      if (text !== undefined) queue(() => send(text));
    };

    return {
      add(text) {
        release();
        if (parts.mayShow(text)) held = text;
        else queue(() => void (isStopped = true));
      },
      nextText() {
        release();
        queue(() => {
          isStopped = false;
          said.set(turnId, []);
        });
      },
      startOver() {
        held = undefined;
        queue(stop);
      },
      async close() {
        held = undefined;
        await work;
      },
    };
  }

  return {
    forTurn: (turn) => (parts.streamingOf(turn.destination) === "blocks" ? start(turn) : none),
    rest: (turnId, text) => restOf(text, said.get(turnId) ?? []),
    forget: (turnId) => void said.delete(turnId),
  };
}

/** White space between blocks does not count. */
function restOf(text: string, pieces: readonly string[]): string {
  let at = 0;
  for (const piece of pieces) {
    const words = piece.trim();
    const from = at + (text.slice(at).length - text.slice(at).trimStart().length);
    if (!text.startsWith(words, from)) return text;
    at = from + words.length;
  }
  return at === 0 ? text : text.slice(at).replace(/^\s*\n|^\s+/, "");
}
