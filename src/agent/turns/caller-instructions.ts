/** Instructions of the caller for the turn: at the end of the prompt, in the caller's name and not in Pincer's. */
import { joinLabels } from "@pincer/sdk";
import type { ContextSetup } from "../context-setup.ts";
import type { ShownText } from "../../gate/call-context.ts";
import type { TurnPerson } from "../../storage/turns/turns.ts";
import type { TurnWishes } from "./turn-wishes.ts";

/** Last in the prompt: what comes before it stays in the provider's cache, and nothing in it comes before Pincer's own rules. */
export function withInstructions<Setup extends Pick<ContextSetup, "systemPrompt" | "promptLabel">>(
  setup: Setup,
  { instructions }: Pick<TurnWishes, "instructions">,
): Setup {
  if (!instructions) return setup;
  const section = `## Instructions of the caller\n\nThey apply unless they contradict anything above.\n\n${instructions}`;
  // A program sent them, whoever it works for.
  const promptLabel = joinLabels([setup.promptLabel, { untrusted: true, sources: [] }]);
  return { ...setup, systemPrompt: `${setup.systemPrompt}\n\n${section}`, promptLabel };
}

/** Sent by a program, whoever it works for. */
export function instructionWords({
  person,
  wishes,
}: {
  person: Pick<TurnPerson, "role">;
  wishes: Pick<TurnWishes, "instructions">;
}): ShownText[] {
  const { instructions } = wishes;
  if (!instructions) return [];
  const origin = person.role === "owner" ? "owner" : "peer";
  return [{ origin, from: "instructions", text: instructions, label: { untrusted: true, sources: [] } }];
}
