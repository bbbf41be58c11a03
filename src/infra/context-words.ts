/** What the next request of a session would contain, in a few lines. */
import type { ContextView } from "@pincer/sdk";
import { formatCount, formatShare } from "./format-amounts.ts";
import type { Say } from "./texts.ts";

export function contextWords({ parts, total, window }: ContextView, say: Say): string {
  const { contextWindow, compactAt } = window;
  const head = say("context.brief", {
    used: formatCount(total),
    window: formatCount(contextWindow),
    share: formatShare(total, contextWindow),
  });
  const lines = parts.map(
    ({ kind, name, tokens }) => `- ${say(`context.kind.${kind}`)}: ${name} – ${formatCount(tokens)}`,
  );
  const next = compactAt === null ? [] : [say("context.compact-at", { tokens: formatCount(compactAt) })];
  return [head, ...lines, ...next].join("\n");
}
