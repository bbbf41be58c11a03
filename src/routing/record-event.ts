/** Writes what happened to a message of a session into its transcript, once. */
import type { Redactor } from "../infra/redactor.ts";
import type { EntryStore } from "../storage/stores.ts";
import type { EventBody } from "./apply-change.ts";

const nearby = 200;

/** The event is looked for among the newest entries first: a crash may have come between it and the end of its row. */
export function createEventRecorder(parts: {
  entries: Pick<EntryStore, "recent" | "append">;
  redactor: Pick<Redactor, "values">;
  /** Told when the transcript has grown. */
  onRecorded?(sessionId: string): void;
}): (sessionId: string, event: EventBody) => Promise<void> {
  const { entries, redactor, onRecorded } = parts;
  return async function recordEvent(sessionId, event) {
    const recent = await entries.recent(sessionId, nearby);
    const isThere = recent.some(
      (entry) => entry.type === "event" && entry.data["change"] === event.data["change"],
    );
    if (isThere) return;
    await entries.append(sessionId, [redactor.values(event)]);
    onRecorded?.(sessionId);
  };
}
