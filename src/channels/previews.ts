/** Shows an answer while it grows: batched, slightly late, and without delaying its turn. */
import type { ChannelLog, Destination } from "@pincer/sdk";
import type { Clock } from "../infra/clock.ts";
import type { Redactor } from "../infra/redactor.ts";
import type { OutboxRow, OutboxStore } from "../storage/outbox/outbox.ts";
import { createWakeSignal } from "./wake-signal.ts";
import { wordsSoFar } from "./words-so-far.ts";

export interface PreviewTurn {
  turnId: string;
  destination: Destination;
  replyTo: string | null;
  /** Transforms the text whenever it is shown, not whenever it grows: the cost depends on its length. Pure. */
  shown?: ((text: string) => string) | undefined;
}

export interface Preview {
  /** The whole text so far. Never throws, never waits. */
  grow(text: string): void;
  /** Resolves when this preview shows nothing more; the end of the turn does the rest. Safe to call twice. */
  close(): Promise<void>;
}

export interface Previews {
  forTurn(turn: PreviewTurn): Preview;
}

const firstAfterMs = 300;
const firstAfterCharacters = 40;
const paceMs = 1000;
/** No network shows more in one message, and each change is stored. */
const mostShown = 16_384;

export function createPreviews(parts: {
  outbox: Pick<OutboxStore, "preview" | "get">;
  wake(rows: OutboxRow[]): void;
  clock: Clock;
  log: ChannelLog;
  redactor: Pick<Redactor, "text">;
  streamingOf(destination: Destination): "off" | "edit" | "blocks";
  canEdit(destination: Destination): boolean;
  notAfterMs: number;
}): Previews {
  const silent: Preview = { grow: () => undefined, close: async () => undefined };
  return {
    forTurn(turn) {
      const isShown = parts.streamingOf(turn.destination) === "edit" && parts.canEdit(turn.destination);
      return isShown ? startPreview(parts, turn) : silent;
    },
  };
}

function startPreview(parts: Parameters<typeof createPreviews>[0], turn: PreviewTurn): Preview {
  const { clock, log } = parts;
  const { shown: as = (text: string) => text } = turn;
  const bell = createWakeSignal(clock);
  const growth = { text: "", isClosed: false };
  let work: Promise<void> | undefined;

  async function show(): Promise<void> {
    let rowId: string | undefined;
    let shown = "";
    const until = clock.monotonic() + firstAfterMs;
    while (!growth.isClosed && growth.text.length < firstAfterCharacters && clock.monotonic() < until) {
      bell.hush();
      await bell.wait(until);
    }
    while (!growth.isClosed) {
      const looked = growth.text;
      const words = as(wordsSoFar(looked.slice(0, mostShown), parts.redactor));
      if (words !== shown && words !== "") {
        // A preview that was given up stays so; the answer comes as its own message.
        if (rowId !== undefined && isOver(await parts.outbox.get(rowId))) return;
        const row = await parts.outbox.preview(draftOf(words));
        shown = words;
        rowId = row.id;
        parts.wake([row]);
      }
      const next = clock.monotonic() + paceMs;
      while (!growth.isClosed && (clock.monotonic() < next || growth.text === looked)) {
        bell.hush();
        await bell.wait(clock.monotonic() < next ? next : undefined);
      }
    }
  }

  const draftOf = (words: string) => ({
    destination: turn.destination,
    kind: "preview" as const,
    turnId: turn.turnId,
    text: words,
    attachments: [],
    replyTo: turn.replyTo,
    notAfter: new Date(clock.now() + parts.notAfterMs).toISOString(),
    dedupeKey: null,
  });

  return {
    grow(grown) {
      if (growth.isClosed) return;
      growth.text = grown;
      bell.ring();
      work ??= show().catch((error: unknown) =>
        log.warn(`a preview ended early: ${error instanceof Error ? error.message : String(error)}`),
      );
    },
    async close() {
      growth.isClosed = true;
      bell.ring();
      await work;
    },
  };
}

const isOver = (row: OutboxRow | undefined): boolean =>
  row === undefined || row.state === "failed" || row.state === "dropped";
