import type { TurnWatch } from "../../agent/turn-runner.ts";
import type { Preview, Previews } from "../../channels/previews.ts";
import { inertAddresses } from "../../policy/provenance/guard-reply.ts";
import type { OutboxRow } from "../../storage/outbox.ts";
import { createSaidHere, type SaidHere } from "../conversation/said-here.ts";

/** Shows each answer while it grows, and hands on what a turn has said when it ends. */
export function followTurns(previews: Previews, ended: (rows: OutboxRow[]) => void): TurnWatch {
  const growing = new Map<string, { preview: Preview; text: string; said: SaidHere }>();
  return {
    begun({ turnId, destination, replyTo }) {
      if (destination === null) return;
      // Whether its addresses may be followed is known when it is whole; a network looks at each edit.
      const preview = previews.forTurn({ turnId, destination, replyTo, shown: inertAddresses });
      growing.set(turnId, { preview, text: "", said: createSaidHere() });
    },
    event({ turnId }, event) {
      const shown = growing.get(turnId);
      if (!shown) return;
      if (event.type === "tool-call-end") shown.said.note(event.call.name, event.result);
      if (event.type === "text-delta") {
        shown.text += event.text;
        if (!shown.said.mayRepeat(shown.text)) shown.preview.grow(shown.text);
      }
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
