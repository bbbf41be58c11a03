/** The content of the next request as a table, with how full the window is. */
import type { ContextPartView, ContextView } from "@pincer/sdk";
import { formatCount, formatShare } from "../infra/format-amounts.ts";
import type { Say } from "../infra/texts.ts";
import type { CommandContext } from "./command.ts";
import { table } from "./table.ts";

export function contextTable(
  found: ContextView,
  { say, terminal }: { say: Say; terminal: Pick<CommandContext["terminal"], "outIsTerminal"> },
): string {
  const { window, sessionKey, agentId, model, total } = found;
  const { contextWindow, flushAt, compactAt } = window;
  const head = say("context.head", {
    sessionKey,
    sessionId: found.sessionId ?? say("context.nothing-said"),
    agentId,
    model: `${model.provider}/${model.id}`,
  });
  const rows = table([
    [say("context.column.part"), say("context.column.tokens"), say("context.column.why")],
    ...found.parts.map((part) => [partName(part, say), formatCount(part.tokens), reason(part, say)]),
    [say("context.total"), formatCount(total), ""],
  ]);
  const full = say("context.window", {
    used: formatCount(total),
    window: formatCount(contextWindow),
    share: formatShare(total, contextWindow),
    answer: formatCount(window.maxTokens),
  });
  const next = [
    otherCount(found, say),
    flushAt === null ? "" : say("context.flush-at", { tokens: formatCount(flushAt) }),
    compactAt === null
      ? say("context.compact-off")
      : say("context.compact-at", { tokens: formatCount(compactAt) }),
  ];
  const shownBar = terminal.outIsTerminal ? [bar(total, contextWindow)] : [];
  return `${head}\n\n${rows}\n${[...shownBar, full, ...next].filter(Boolean).join("\n")}\n`;
}

/** The count that triggers compaction, if it exceeds what is sent. */
function otherCount({ window: { estimatedUsed }, total, parts }: ContextView, say: Say): string {
  if (estimatedUsed <= total) return "";
  const isShortened = parts.some(({ name }) => name === "left-out");
  return say(isShortened ? "context.unshortened" : "context.as-counted", {
    tokens: formatCount(estimatedUsed),
  });
}

const partName = ({ kind, name }: ContextPartView, say: Say): string =>
  `${say(`context.kind.${kind}`)}: ${name}`;

function reason({ kind, why, from, to, count }: ContextPartView, say: Say): string {
  const facts = [
    ...(count === undefined || kind !== "history"
      ? []
      : [say("context.count", { count: formatCount(count) })]),
    ...(from === undefined || to === undefined ? [] : [say("context.entries", { from, to })]),
  ];
  return facts.length === 0 ? why : `${why} (${facts.join(", ")})`;
}

const barPlaces = 40;

/** Something that is there at all fills a place. */
function bar(used: number, window: number): string {
  const share = window > 0 ? Math.min(used / window, 1) : 0;
  const filled = Math.ceil(share * barPlaces);
  return `[${"█".repeat(filled)}${"·".repeat(barPlaces - filled)}]`;
}
