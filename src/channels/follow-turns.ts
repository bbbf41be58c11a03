import type { TurnWatch } from "../agent/turns/turn-events.ts";
import type { Blocks, GrowingBlocks } from "./blocks.ts";
import type { Preview, Previews } from "./previews.ts";
import type { Typing } from "./typing.ts";
import type { WorkingSign } from "./working-sign.ts";
import { inertAddresses } from "../policy/provenance/guard-reply.ts";
import type { OutboxRow } from "../storage/outbox/outbox.ts";
import { createSaidHere, type SaidHere } from "./conversation/said-here.ts";

interface Followed {
  preview: Preview;
  blocks: GrowingBlocks;
  text: string;
  said: SaidHere;
  showTyping(): void;
  hideTyping(): void;
  /** Takes the sign from the message that it answers. Safe to call twice. */
  takeSign(): void;
}

/** Shows each answer while it grows and that somebody writes it, and hands on what a turn has said when it ends. */
export function followTurns(
  {
    previews,
    blocks,
    typing,
    working,
  }: { previews: Previews; blocks?: Blocks; typing?: Typing; working?: WorkingSign },
  ended: (rows: OutboxRow[]) => void,
): Required<Omit<TurnWatch, "waiting">> {
  const growing = new Map<string, Followed>();
  const letGo = (turnId: string) => {
    growing.get(turnId)?.hideTyping();
    growing.get(turnId)?.takeSign();
  };
  return {
    begun({ turnId, destination, replyTo, person }) {
      if (destination === null) return;
      letGo(turnId);
      // Whether its addresses may be followed is known when it is whole; a network looks at each edit.
      const preview = previews.forTurn({ turnId, destination, replyTo, shown: inertAddresses });
      const followed: Followed = {
        preview,
        blocks: blocks?.forTurn({ turnId, destination, replyTo }) ?? noBlocks,
        text: "",
        said: createSaidHere(),
        ...typingFor(() => typing?.show(destination)),
        takeSign: working?.put(destination, turnId) ?? (() => undefined),
      };
      growing.set(turnId, followed);
      // Nobody waits for a turn that the house began by itself.
      if (person?.role !== "system") followed.showTyping();
    },
    event({ turnId }, event) {
      const shown = growing.get(turnId);
      if (!shown) return;
      if (event.type === "tool-call-end") shown.said.note(event.call.name, event.result);
      if (event.type === "text-delta") {
        shown.text += event.text;
        if (!shown.said.mayRepeat(shown.text)) shown.preview.grow(shown.text);
      }
      if (event.type === "block" && !shown.said.mayRepeat(event.text)) shown.blocks.add(event.text);
      // While the owner is asked nobody writes.
      if (event.type === "approval-asked") shown.hideTyping();
      if (event.type === "approval-answered") shown.showTyping();
      if (event.type === "tool-call-start") shown.blocks.nextText();
      if (event.type === "start-over") shown.blocks.startOver();
      // The answer is what is said after the tools have run, and since it last began.
      if (event.type === "tool-call-start" || event.type === "start-over") shown.text = "";
    },
    async ending({ turnId }) {
      const shown = growing.get(turnId);
      letGo(turnId);
      await shown?.preview.close();
      await shown?.blocks.close();
      growing.delete(turnId);
    },
    ended({ turnId }, outbox) {
      blocks?.forget(turnId);
      ended(outbox);
    },
    over(turnId) {
      letGo(turnId);
      growing.delete(turnId);
      blocks?.forget(turnId);
    },
  };
}

const noBlocks: GrowingBlocks = { add() {}, nextText() {}, startOver() {}, close: async () => {} };

/** Safe to call in any order and as often as anybody likes. */
function typingFor(show: () => (() => void) | undefined): Pick<Followed, "showTyping" | "hideTyping"> {
  let hide: (() => void) | undefined;
  return {
    showTyping: () => void (hide ??= show()),
    hideTyping() {
      hide?.();
      hide = undefined;
    },
  };
}
