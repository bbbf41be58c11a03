/**
 * Drops old tool results from a request when it costs nothing: after a pause in which the provider's cache has
 * expired anyway. The current turn keeps its own. The entries alone decide which results, so the beginning of the
 * request stays the same until the next such pause. Nothing of it is stored.
 */
import { messageTokens } from "./estimate-tokens.ts";
import type { PruningSettings } from "./session-view.ts";
import { smallerAs, type ShownEntry } from "./shown-entries.ts";
import { hasImage, removeLongResult, removeResult, trimResult } from "./shorten-result.ts";

/** Results with images stay. Pure. */
export function pruneResults(
  shown: readonly ShownEntry[],
  { mode, ttlMs, keepLastAssistants, isUntrusted }: PruningSettings,
  contextWindow: number,
): readonly ShownEntry[] {
  const pause = mode === "off" ? 0 : lastPause(shown, ttlMs);
  const kept = isUntrusted ? Math.min(keepLastAssistants, 1) : keepLastAssistants;
  const border = beforeAnswers(shown, pause, kept);
  if (border <= 0) return shown;

  if (isUntrusted) return shown.map((entry, index) => (index < border ? withoutResult(entry) : entry));
  const trimmed = changeResults(shown, border, trimResult);
  const size = trimmed
    .slice(0, border)
    .filter(isOldResult)
    .reduce((sum, { tokens }) => sum + tokens, 0);
  return size > contextWindow * mostOfWindow ? changeResults(shown, border, removeLongResult) : trimmed;
}

/** What old results may take up of the window. */
const mostOfWindow = 0.5;

/** However short: few words are enough to lead a model astray. */
function withoutResult(entry: ShownEntry): ShownEntry {
  if (entry.said.role !== "toolResult" || !isOldResult(entry)) return entry;
  const message = removeResult(entry.said, entry.seq);
  return { ...entry, message, tokens: messageTokens(message) };
}

/**
 * Applies `change` to the results before the border, if it makes them smaller. The shown ones may be shortened
 * already, so it starts from the original.
 */
export const changeResults = (
  shown: readonly ShownEntry[],
  border: number,
  change: typeof removeResult,
): ShownEntry[] =>
  shown.map((entry, index) => {
    if (index >= border || !isOldResult(entry) || entry.said.role !== "toolResult") return entry;
    const message = change(entry.said, entry.seq);
    return message === entry.said ? entry : smallerAs(entry, message);
  });

const isOldResult = ({ said }: ShownEntry): boolean => said.role === "toolResult" && !hasImage(said);

/**
 * The index of the first entry after the newest pause between two turns; zero if there was none. A slow tool is no
 * such pause.
 */
function lastPause(shown: readonly ShownEntry[], ttlMs: number): number {
  for (let index = shown.length - 1; index > 0; index--) {
    const [before, after] = [shown[index - 1], shown[index]];
    if (after?.said.role !== "user" || !before || before.said.role === "toolResult") continue;
    if (after.at - before.at > ttlMs) return index;
  }
  return 0;
}

/** The index of the n-th last answer before `end`; zero if there are fewer. */
function beforeAnswers(shown: readonly ShownEntry[], end: number, answers: number): number {
  let left = answers;
  let index = end;
  while (left > 0 && index > 0) if (shown[--index]?.said.role === "assistant") left--;
  return left > 0 ? 0 : index;
}
