import { silentTokens } from "../agent/run-turn.ts";
import type { Redactor } from "../infra/redactor.ts";

/**
 * The part of a growing answer that may be shown: no secret, no possible beginning of one, and no beginning of an
 * answer that may turn out to be none. Nothing shown must ever be retracted.
 */
export function wordsSoFar(text: string, redactor: Pick<Redactor, "text">): string {
  return mayBeSilent(text) ? "" : redactor.text(text).replace(lastWord, "").trimEnd();
}

function mayBeSilent(text: string): boolean {
  const begun = text.trim();
  return [...silentTokens].some((token) => token.startsWith(begun));
}

/** Without this, scripts without spaces would be held back until the end. */
const lastWord = /[^\s\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}]+$/u;
