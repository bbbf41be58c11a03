/** The words for a provider of which no credential was of use (AUTH-11). */
import type { Say } from "../../infra/texts.ts";
import type { ModelFailure } from "../model-failure.ts";

/** What was tried, why each failed and when each returns. `tried` is in the order of trying; empty: there was none to try. */
export function describeExhausted(
  tried: ReadonlyArray<{ id: string; failure: ModelFailure; returnsAt?: number | undefined }>,
  say: Say,
): string {
  if (tried.length === 0) return say("auth.exhausted.none");
  const lines = tried.map(({ id, failure, returnsAt }) =>
    say(returnsAt === undefined ? "auth.exhausted.line" : "auth.exhausted.line-until", {
      name: id,
      reason: failure.message || failure.code,
      until: returnsAt === undefined ? "" : new Date(returnsAt).toISOString(),
    }),
  );
  return [say("auth.exhausted"), ...lines].join("\n");
}
