/** Instructions of the caller for the turn: at the end of the prompt, in the caller's name and not in Pincer's. */
import type { ContextSetup } from "../context-setup.ts";
import type { ReadSpans } from "../../policy/provenance/read-spans.ts";
import type { TurnPerson } from "../../storage/turns/turns.ts";
import type { TurnWishes } from "./turn-wishes.ts";

/** Last in the prompt: what comes before it stays in the provider's cache, and nothing in it comes before Pincer's own rules. */
export function withInstructions<Setup extends Pick<ContextSetup, "systemPrompt">>(
  setup: Setup,
  { instructions }: Pick<TurnWishes, "instructions">,
): Setup {
  if (!instructions) return setup;
  const section = `## Instructions of the caller\n\nThey apply unless they contradict anything above.\n\n${instructions}`;
  return { ...setup, systemPrompt: `${setup.systemPrompt}\n\n${section}` };
}

/** Labelled like anything else that they say. */
export function instructionWords({
  person,
  wishes,
}: {
  person: Pick<TurnPerson, "role">;
  wishes: Pick<TurnWishes, "instructions">;
}): NonNullable<ReadSpans["others"]> {
  const { instructions } = wishes;
  if (!instructions) return [];
  return [{ origin: person.role === "owner" ? "owner" : "peer", text: instructions }];
}
