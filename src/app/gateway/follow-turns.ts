import type { TurnWatch } from "../../agent/turn-runner.ts";
import type { Preview, Previews } from "../../channels/previews.ts";
import type { OutboxRow } from "../../storage/outbox.ts";

/** Shows each answer while it grows, and hands on what a turn has said when it ends. */
export function followTurns(previews: Previews, ended: (rows: OutboxRow[]) => void): TurnWatch {
  const growing = new Map<string, { preview: Preview; text: string }>();
  return {
    begun({ turnId, destination, replyTo }) {
      if (destination === null) return;
      growing.set(turnId, { preview: previews.forTurn({ turnId, destination, replyTo }), text: "" });
    },
    event({ turnId }, event) {
      const shown = growing.get(turnId);
      if (!shown) return;
      if (event.type === "text-delta") shown.preview.grow((shown.text += event.text));
      // The answer is what is said after the tools have run, and since it last began.
      if (event.type === "tool-call-start" || event.type === "start-over") shown.text = "";
    },
    async ending({ turnId }) {
      await growing.get(turnId)?.preview.close();
      growing.delete(turnId);
    },
    ended: (_turn, outbox) => ended(outbox),
  };
}
