import { silentTokens } from "../agent/run-turn.ts";
import type { Redactor } from "../infra/redactor.ts";

/**
 * As much of a growing answer as may be seen already: no secret, nothing that may be growing into one, and not the beginning of an
 * answer that may turn out to be none. What has once been shown must not have to be taken back.
 */
export function wordsSoFar(text: string, redactor: Pick<Redactor, "text">): string {
  return mayBeSilent(text) ? "" : redactor.text(text).replace(lastWord, "").trimEnd();
}

function mayBeSilent(text: string): boolean {
  const begun = text.trim();
  return [...silentTokens].some((token) => token.startsWith(begun));
}

/** Scripts that put no spaces between words would otherwise be held back to the end of the answer. */
const lastWord = /[^\s\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}]+$/u;
