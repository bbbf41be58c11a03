/** The state of a run as text. */
import type { RunView } from "@pincer/sdk";
import { html, nothing, type TemplateResult } from "lit";
import { knownBadge, type Known } from "../../parts/known-badge.ts";
import { isTextKey, type Say } from "../../texts/texts.ts";

const kinds: Record<string, string> = { done: "good", waiting: "warn", failed: "bad", dead: "bad" };

/** Final states. */
const isOver = (state: string): boolean => state === "done" || state === "failed" || state === "dead";

/** Its state, and how it ended where that is not simply an answer. */
export function stateBadge(
  { state, ending }: Pick<RunView, "state" | "ending">,
  known: Known,
): TemplateResult {
  const { say } = known;
  // A person wanted it: that is no failure.
  if (ending?.type === "aborted") return html`<span class="badge warn">${say("runs.state.stopped")}</span>`;
  const key = `runs.state.${state}`;
  const words = isTextKey(key) ? say(key) : state;
  const isPlain = ending === null || ending.type === "answered";
  return html`
    ${knownBadge(kinds[state] ?? "", words, isOver(state) ? { ...known, lostAt: undefined } : known)}
    ${isPlain ? nothing : html`<span class="soft small">${endingWords(ending, say)}</span>`}
  `;
}

export function endingWords(ending: { type: string }, say: Say): string {
  const key = `runs.mark.${ending.type}`;
  return isTextKey(key) ? say(key) : ending.type;
}

/** What became of a question to the owner. */
export function answerWords(state: string, say: Say): string {
  const key = `runs.answer.${state}`;
  return isTextKey(key) ? say(key) : state;
}
