import type { TurnWatch } from "../agent/turns/turn-events.ts";
import type { Blocks, GrowingBlocks } from "./blocks.ts";
import type { Preview, Previews } from "./previews.ts";
import type { Typing } from "./typing.ts";
import type { WorkingSign } from "./working-sign.ts";
import { inertAddresses } from "../gate/leaving/guard-reply.ts";
import type { OutboxRow } from "../storage/outbox/outbox.ts";
import { createOwnMessages, type OwnMessages } from "./conversation/own-messages.ts";

interface Followed {
  preview: Preview;
  blocks: GrowingBlocks;
  text: string;
  said: OwnMessages;
  showTyping(): void;
  hideTyping(): void;
  /** Removes the reaction from the answered message. Safe to call twice. */
  takeSign(): void;
}

/** Shows typing and the growing answer of each turn, and passes on its text when it ends. */
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
      // Whether addresses may become links is known only at the end, and a network reads each edit.
      const preview = previews.forTurn({ turnId, destination, replyTo, shown: inertAddresses });
      const followed: Followed = {
        preview,
        blocks: blocks?.forTurn({ turnId, destination, replyTo }) ?? noBlocks,
        text: "",
        said: createOwnMessages(),
        ...typingFor(() => typing?.show(destination)),
        takeSign: working?.put(destination, turnId) ?? (() => undefined),
      };
      growing.set(turnId, followed);
      // Nobody waits for a turn that the system started.
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
      // No typing while the owner is asked.
      if (event.type === "approval-asked") shown.hideTyping();
      if (event.type === "approval-answered") shown.showTyping();
      if (event.type === "tool-call-start") shown.blocks.nextText();
      if (event.type === "start-over") shown.blocks.startOver();
      // The answer is what follows the last tool call or restart.
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

/** Safe to call in any order and any number of times. */
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
