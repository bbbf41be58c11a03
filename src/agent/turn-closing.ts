/** What is shown below the end of a turn, besides its answer. */
import { closingBody, type DryRunView, type EntryBody, type TurnChangesClosing } from "@pincer/sdk";
import { dryEffectOf } from "../gate/dry-run.ts";
import type { TurnGate } from "../gate/turn-gate.ts";
import type { Say } from "../infra/texts.ts";
import type { DryCopies } from "../sandbox/dry-copies.ts";
import type { TurnDiff } from "../sandbox/snapshots/snapshots.ts";
import type { TurnRecord, TurnStore } from "../storage/turns/turns.ts";
import { dryRunText } from "./dry-run-text.ts";
import { wishesOf } from "./turns/turn-wishes.ts";

export interface TurnClosing {
  /** Stored with the end of the turn, for the page and the terminal. */
  bodies: EntryBody[];
  /** Texts for a chat, which shows nothing else. */
  told: string[];
}

export interface TurnClosingParts {
  gate: Pick<TurnGate, "grantedIn">;
  turns: Pick<TurnStore, "entries">;
  /** Left out where nothing runs. */
  copies: Pick<DryCopies, "diff"> | undefined;
  /** What a tainted turn has changed. Never throws; left out where nothing is kept. */
  changedBy?: ((turnId: string) => Promise<TurnDiff | undefined>) | undefined;
  say: Say;
  onError(error: unknown): void;
}

/** What cannot be found out is told, and left out: the turn ends all the same. */
export function createTurnClosing({ gate, turns, copies, changedBy, say, onError }: TurnClosingParts) {
  const tried = <Found>(work: Promise<Found>): Promise<Found | undefined> =>
    work.catch((error: unknown) => {
      onError(error);
      return undefined;
    });

  async function dryRunOf(turn: TurnRecord): Promise<DryRunView | undefined> {
    if (wishesOf(turn).dryRun !== true) return undefined;
    const entries = await turns.entries(turn.turnId);
    const effects = entries.flatMap((entry) =>
      entry.type === "message" ? (dryEffectOf(entry.message) ?? []) : [],
    );
    const changes = await tried(Promise.resolve(copies?.diff(turn.turnId)));
    return { effects, ...(changes && changes.files > 0 && { changes }) };
  }

  return async function closing(turn: TurnRecord): Promise<TurnClosing> {
    const granted = await tried(gate.grantedIn(turn));
    const dryRun = await tried(dryRunOf(turn));
    const changed = await changedBy?.(turn.turnId);
    const changes = changed && changed.files > 0 ? { turnId: turn.turnId, ...changed } : undefined;
    return {
      bodies: [
        ...(granted && granted.grants.length > 0 ? [closingBody("granted", granted)] : []),
        ...(changes ? [closingBody("changes", changes)] : []),
        ...(dryRun ? [closingBody("dry-run", dryRun)] : []),
      ],
      told: [
        ...(dryRun ? [dryRunText(dryRun, say)] : []),
        ...(changes && turn.person.role === "owner" ? [changesLine(changes, say)] : []),
      ],
    };
  };
}

/** One line, whatever it was: a chat is not flooded. */
const changesLine = ({ files, added, removed }: TurnChangesClosing, say: Say): string => {
  // Of the newest turn: a chat shows no ids that nobody wants to type.
  const how = say("changes.how", { show: "/undo diff", undo: "/undo" });
  return `${say("changes.head", { files, added, removed })}. ${how}`;
};
