/** Why a part of the prompt is there, and what was left out of it, in a person's language. */
import type { LeftOut, PromptPart } from "../prompt/prompt.ts";
import type { Say } from "../../infra/texts.ts";

export function sayWhy({ why, leftOut = [] }: Pick<PromptPart, "why" | "leftOut">, say: Say): string {
  const reason = say(why.key, why.parameters);
  if (leftOut.length === 0) return reason;
  return say("prompt.left-out", { why: reason, names: namesOf(leftOut, say) });
}

const mostNamed = 3;

function namesOf(leftOut: readonly LeftOut[], say: Say): string {
  const named = leftOut
    .slice(0, mostNamed)
    .map(({ name, reason }) => say("prompt.left-out.one", { name, reason }));
  const count = leftOut.length - named.length;
  return [...named, ...(count > 0 ? [say("prompt.left-out.more", { count })] : [])].join(", ");
}
