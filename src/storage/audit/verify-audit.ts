/**
 * Verifies the audit log: row by row from the beginning, then its head, then the anchors. Finds any change without
 * the key, and its place.
 */
import type { AuditProblemView, AuditVerification } from "@pincer/sdk";
import type { AnchorLines, AuditAnchors } from "./audit-anchors.ts";
import { isSameSeal, type AuditSeal } from "./audit-seal.ts";
import type { AuditChainState, AuditStore, RawAudit } from "./audit.ts";

export interface VerifyAuditParts {
  audit: Pick<AuditStore, "state" | "page" | "digestAt">;
  anchors: Pick<AuditAnchors, "read">;
  /** Undefined if the key is unavailable, which is itself a problem. */
  seal: AuditSeal | undefined;
  signal?: AbortSignal | undefined;
}

const mostProblems = 100;
const rowsAtOnce = 1000;

/** Writers may continue meanwhile. Throws what the storage and the file system do. */
export async function verifyAudit(parts: VerifyAuditParts): Promise<AuditVerification> {
  // Anchors first: the rows that they state are stored by then.
  const lines = await parts.anchors.read();
  const state = await parts.audit.state();
  const walk = await walkRows(parts, state);
  const prunedMeanwhile = (await parts.audit.state()).head?.prunedSeq !== state.head?.prunedSeq;
  // Rows that were pruned meanwhile would look removed.
  if (prunedMeanwhile) return verifyAudit(parts);

  const problems = [
    ...walk.problems,
    ...misplacedRows(state, walk),
    ...headProblems(parts.seal, state, walk, lines),
    ...(await anchorProblems(parts, state, walk, lines)),
  ];
  const { head } = state;
  return {
    ok: problems.length === 0,
    rows: walk.rows,
    head: head ? { seq: head.seq, digest: head.digest } : null,
    prunedSeq: head?.prunedSeq ?? 0,
    anchors: lines.anchors.length,
    anchoredSeq: newestOf(lines),
    problems: problems.slice(0, mostProblems),
  };
}

interface Walk {
  rows: number;
  /** Of the last row in its place. */
  seq: number;
  digest: string;
  problems: AuditProblemView[];
}

async function walkRows({ audit, signal }: VerifyAuditParts, { head }: AuditChainState): Promise<Walk> {
  const walk: Walk = { rows: 0, seq: head?.prunedSeq ?? 0, digest: head?.prunedDigest ?? "", problems: [] };
  const last = head?.seq ?? Number.MAX_SAFE_INTEGER;
  const strange: StrangeRow[] = [];
  let after = walk.seq;
  for (;;) {
    signal?.throwIfAborted();
    const page = await audit.page(after, rowsAtOnce);
    if (page.length === 0) break;
    for (const row of page) {
      const seq = Number(row.seq);
      // Rows since the start have a newer head; rows without a number are counted elsewhere.
      if (Number.isNaN(seq) || seq > last) continue;
      after = seq;
      walk.rows++;
      look(row, seq, walk, strange);
    }
    const isThrough = page.length < rowsAtOnce || Number(page.at(-1)?.seq) !== after;
    if (isThrough || after >= last) break;
  }
  walk.problems.push(...strange.map((row) => nameStrange(row, strange)));
  walk.problems.sort((a, b) => (a.seq ?? 0) - (b.seq ?? 0));
  return walk;
}

interface StrangeRow {
  row: RawAudit;
  seq: number;
  /** The stored digest that it should follow. */
  previous: string;
}

function look(row: RawAudit, seq: number, walk: Walk, strange: StrangeRow[]): void {
  // No fractional positions, and none twice.
  if (!Number.isSafeInteger(row.seq) || seq <= walk.seq) {
    walk.problems.push({ kind: "inserted", seq: Math.floor(seq) });
    return;
  }
  const isGap = seq > walk.seq + 1;
  if (isGap) walk.problems.push(between("dropped", walk.seq + 1, seq - 1));
  // After a gap the predecessor is unknown; the following rows can be checked again.
  else if (!row.follows(walk.digest)) strange.push({ row, seq, previous: walk.digest });
  walk.seq = seq;
  walk.digest = row.digest;
}

/** With more there are too many permutations to try. */
const mostTried = 20;

/** A row at another row's position was moved; one that fits nowhere was changed. */
function nameStrange({ row, seq }: StrangeRow, strange: readonly StrangeRow[]): AuditProblemView {
  const places = strange.slice(0, mostTried);
  const digests = new Set(places.map((each) => each.row.digest));
  const befores = new Set(places.flatMap((each) => [each.previous, each.row.digest]));
  const isMoved = places.some(
    (place) =>
      place.seq !== seq && [...befores].some((previous) => digests.has(row.digestAt(place.seq, previous))),
  );
  return { kind: isMoved ? "reordered" : "edited", seq };
}

/** Rows that have no place in the chain, one behind its end, or one that the walk came past already. */
function misplacedRows({ head, rows, misplaced }: AuditChainState, walk: Walk): AuditProblemView[] {
  if (!head) return walk.rows > 0 ? [{ kind: "head-missing" }] : [];
  return misplaced > 0 || rows - misplaced > walk.rows ? [{ kind: "inserted", seq: head.seq + 1 }] : [];
}

function headProblems(
  seal: AuditSeal | undefined,
  { head }: AuditChainState,
  walk: Walk,
  lines: AnchorLines,
): AuditProblemView[] {
  if (!seal) return [{ kind: "no-key" }];
  if (!head) return [];
  const { mac, ...told } = head;
  const isSealed = isSameSeal(mac, seal.head(told));
  // Nothing at all that this key has sealed: it is another key.
  if (!isSealed && lines.anchors.length === 0 && lines.forged > 0) return [{ kind: "wrong-key" }];
  return [
    ...(isSealed ? [] : [{ kind: "head-forged" as const, seq: head.seq }]),
    ...(head.suspectSeq > 0 ? [{ kind: "written-without-key" as const, seq: head.suspectSeq }] : []),
    ...(walk.seq < head.seq ? [between("dropped-at-end", walk.seq + 1, head.seq)] : []),
    ...(walk.seq === head.seq && (walk.digest !== head.digest || told.count !== head.seq - head.prunedSeq)
      ? [{ kind: "rewritten" as const, seq: head.seq }]
      : []),
  ];
}

async function anchorProblems(
  { audit, seal }: VerifyAuditParts,
  { head }: AuditChainState,
  walk: Walk,
  lines: AnchorLines,
): Promise<AuditProblemView[]> {
  const isOtherKey = lines.anchors.length === 0 && lines.forged > 0;
  if (!seal || isOtherKey) return [];
  const problems: AuditProblemView[] = [];
  if (lines.forged > 0) problems.push({ kind: "anchor-forged" });
  const newest = newestOf(lines);
  const due = head?.anchoredSeq ?? 0;
  if (newest < due)
    problems.push({ kind: newest === 0 ? "anchors-missing" : "anchors-behind", seq: newest, toSeq: due });
  const end = head?.seq ?? 0;
  if (newest > end) problems.push(between("dropped-at-end", end + 1, newest));
  const first = await firstMismatch(audit, lines, head?.prunedSeq ?? 0, Math.min(end, walk.seq));
  if (first !== undefined) problems.push({ kind: "rewritten", seq: first });
  return problems;
}

/** The lowest place at which the chain is not what an anchor says. */
async function firstMismatch(
  audit: Pick<AuditStore, "digestAt">,
  { anchors }: AnchorLines,
  from: number,
  to: number,
): Promise<number | undefined> {
  for (const { seq, digest } of anchors.toSorted((a, b) => a.seq - b.seq)) {
    if (seq <= from || seq > to) continue;
    const found = await audit.digestAt(seq);
    // A missing one was already reported as a gap.
    if (found !== undefined && found !== digest) return seq;
  }
  return undefined;
}

const newestOf = ({ anchors }: AnchorLines): number =>
  anchors.reduce((most, { seq }) => Math.max(most, seq), 0);

const between = (kind: AuditProblemView["kind"], seq: number, toSeq: number): AuditProblemView => ({
  kind,
  seq,
  ...(toSeq > seq && { toSeq }),
});
