/** Memory as a terminal shows it: search results, and the state of the index. */
import type { MemoryHit, MemoryIndexView, MemorySearchView, MemoryStatusView } from "@pincer/sdk";
import { formatCount } from "../infra/format-amounts.ts";
import { formatBytes } from "../infra/format-bytes.ts";
import { oneLine } from "../infra/one-line.ts";
import type { Say } from "../infra/texts.ts";
import { matchingLines, showAround, tellingWords } from "./matching-lines.ts";
import { percent } from "./progress-line.ts";
import { displayWidth, table } from "./table.ts";

const fewestPlaces = 20;

/** The lines that hold the words. Hits that are only alike in meaning are shown where no line holds a word; otherwise they are counted. */
export function memoryHitRows(
  hits: readonly MemoryHit[],
  { words, width }: { words: string; width: number | undefined },
  say: Say,
): { rows: string; alike: number } {
  const wanted = tellingWords(words);
  const found = hits.map((hit) => ({ hit, lines: matchingLines(hit.text, wanted).slice(0, mostLinesOfHit) }));
  const exact = found.filter(({ lines }) => lines.length > 0);
  const shown = exact.length > 0 ? exact : found;
  const heads = shown.map(({ hit: { path, line, time, who } }) => [
    oneLine(`${path}:${line}`),
    time === undefined ? "-" : moment(time),
    oneLine(who ?? "-"),
  ]);
  const taken = [0, 1, 2].reduce(
    (sum, column) => sum + 2 + Math.max(...heads.map((head) => displayWidth(head[column] ?? ""))),
    0,
  );
  const space = width === undefined ? undefined : Math.max(fewestPlaces, width - taken);
  const rows = shown.flatMap(({ hit: { text, label, kind }, lines }, at) => {
    const key = kind === "conversation" ? "memory.search.untrusted" : "memory.search.unconfirmed";
    const mark = label === undefined ? "" : say(key, { label: oneLine(label) });
    const places = space === undefined ? undefined : Math.max(fewestPlaces, space - displayWidth(mark));
    return (lines.length > 0 ? lines : [text]).map((line) => [
      ...(heads[at] ?? []),
      mark + showAround(oneLine(line), wanted, places),
    ]);
  });
  return { rows: table(rows), alike: hits.length - shown.length };
}

const mostLinesOfHit = 3;

/** What to know about an answer besides what it found; nothing where all is well. */
export function memoryBehindWords(
  { behind, degraded, freshness, hits }: MemorySearchView,
  say: Say,
): string[] {
  if (freshness.writtenAt === null && hits.length === 0) return [say("memory.empty")];
  const what = whatIsBehind({ behind, linesWithoutVector: freshness.linesWithoutVector }, say);
  return [
    ...(degraded === undefined ? [] : [say("memory.search.degraded", { reason: degraded })]),
    ...(what === "" ? [] : [say("memory.behind", { what })]),
  ];
}

export function memoryStatusWords(status: MemoryStatusView, say: Say): { report: string; remarks: string[] } {
  const { byKind, embedder, embedderChoice, lines, sources, files, problem } = status;
  const kinds = Object.fromEntries(Object.entries(byKind).map(([kind, count]) => [kind, formatCount(count)]));
  const when = (time: string | null) => (time === null ? say("memory.status.never") : moment(time));
  const rows = [
    [say("memory.status.state"), stateOf(status, say)],
    [say("memory.status.lines"), say("memory.status.lines.value", { lines: formatCount(lines), ...kinds })],
    [
      say("memory.status.sources"),
      say("memory.status.sources.value", { sources: formatCount(sources), files: formatCount(files) }),
    ],
    [say("memory.status.embedder"), embedder ?? embedderChoice.provider],
    [say("memory.status.vectors"), formatCount(status.cachedVectors)],
    [say("memory.status.behind"), whatIsBehind(status, say) || say("memory.status.up-to-date")],
    // Only the process that maintains the index knows it.
    ...(status.lastSync === null ? [] : [[say("memory.status.synced"), when(status.lastSync)]]),
    [say("memory.status.written"), when(status.writtenAt)],
    [say("memory.status.size"), formatBytes(status.bytes)],
  ];
  const remarks = [
    ...(problem === undefined
      ? []
      : [say("memory.status.problem", { problem }), say("memory.status.problem.hint")]),
    ...(status.state !== "off" && status.writtenAt === null ? [say("memory.empty")] : []),
  ];
  return { report: `${table(rows)}\n${oneLine(embedderChoice.why)}\n`, remarks };
}

export function memoryIndexWords(done: MemoryIndexView, say: Say): string[] {
  return [
    ...done.skipped.map((each) => say("memory.index.skipped", each)),
    say("memory.index.done", {
      files: formatCount(done.files),
      changed: formatCount(done.changed),
      messages: formatCount(done.messages),
      embedded: formatCount(done.embedded),
      seconds: Math.round(done.seconds * 10) / 10,
    }),
    ...(done.problem === undefined ? [] : [say("memory.index.problem", { problem: done.problem })]),
    ...(done.left > 0 ? [say("memory.index.left", { left: formatCount(done.left) })] : []),
  ];
}

function whatIsBehind(
  { behind, linesWithoutVector }: Pick<MemoryStatusView, "behind" | "linesWithoutVector">,
  say: Say,
): string {
  return [
    ...(behind.files ? [say("memory.behind.files")] : []),
    ...(behind.sessions > 0 ? [say("memory.behind.sessions", { count: formatCount(behind.sessions) })] : []),
    ...(linesWithoutVector > 0
      ? [say("memory.behind.vectors", { count: formatCount(linesWithoutVector) })]
      : []),
  ].join(say("memory.behind.next"));
}

function stateOf({ state, progress, watching }: MemoryStatusView, say: Say): string {
  if (state === "off") return say("memory.status.off");
  const now =
    state === "indexing" && progress
      ? say("memory.status.indexing-at", { share: percent(progress.done, progress.total) })
      : say(`memory.status.${state}`);
  return say(watching ? "memory.status.watching" : "memory.status.not-watching", { state: now });
}

/** A day as it is, a moment to the minute, in the zone that it names. */
function moment(time: string): string {
  const [day = "", clock] = time.split("T");
  return clock === undefined ? day : `${day} ${clock.slice(0, 5)}${clock.endsWith("Z") ? "Z" : ""}`;
}
