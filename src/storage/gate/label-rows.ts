/** Labels of files. A row holds for content of its hash alone; a file whose content is another one has none. */
import { hash as digest } from "node:crypto";
import type { Label } from "@pincer/sdk";
import { insertAudit } from "../audit/audit-chain.ts";
import type { Moment } from "../moment.ts";
import { all, change, first, type Verb } from "../sqlite/database.ts";
import type { FileFacts, FileLabel, FileVersion, GateStore, LabelWriter, ReadFile } from "./gate.ts";
import { openHistory } from "./program-spans.ts";

interface LabelRow {
  path: string;
  set_by: "tool" | "owner";
  label_json: string;
  created_at: string;
}

const select = "SELECT path, set_by, label_json, created_at FROM gate_files WHERE tenant_id = ?";

export function* fileLabel(tenantId: string, { path, hash }: FileVersion): Verb<FileLabel | undefined> {
  const row = yield* first<LabelRow>(`${select} AND path = ? AND hash = ?`, [tenantId, path, hash]);
  if (row?.set_by === "owner") return toFileLabel(row);
  const accepted = yield* first<{ accepted_at: string; set_by: string }>(
    "SELECT accepted_at, set_by FROM gate_accepted WHERE tenant_id = ? AND path = ? AND hash = ? ORDER BY set_by IN ('editor', 'upgrade') LIMIT 1",
    [tenantId, path, hash],
  );
  if (accepted)
    return {
      label: { untrusted: false, sources: [] },
      by: "accepted",
      at: accepted.accepted_at,
      acceptedBy: accepted.set_by,
    };
  return row && toFileLabel(row);
}

export function* describeFiles(tenantId: string, files: readonly ReadFile[]): Verb<FileFacts[]> {
  if (files.length === 0) return [];
  const historyAt = yield* openHistory(tenantId);
  const facts: FileFacts[] = [];
  for (const { path, hash, ctimeMs } of files) {
    const history = historyAt(path, ctimeMs);
    if (hash === undefined) {
      facts.push({ stored: undefined, copied: [], history });
      continue;
    }
    const stored = yield* fileLabel(tenantId, { path, hash });
    const others = yield* all<LabelRow>(`${select} AND hash = ? AND path <> ? LIMIT ${mostCopies}`, [
      tenantId,
      hash,
      path,
    ]);
    const copied = stored && stored.by !== "tool" ? [] : others.map((row) => toFileLabel(row).label);
    facts.push({ stored, copied, history });
  }
  return facts;
}

const mostCopies = 20;

export function* labelFiles(
  moment: Moment,
  files: Parameters<GateStore["labelFiles"]>[0],
  by: LabelWriter,
): Verb<void> {
  const { tenantId, now, ids } = moment;
  const unlessOwner = by.type === "tool" ? " WHERE gate_files.set_by <> 'owner'" : "";
  for (const { path, hash, label } of files) {
    yield* change(
      `INSERT INTO gate_files (tenant_id, path, set_by, hash, label_json, created_at) VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT (tenant_id, path, hash) DO UPDATE SET
        set_by = excluded.set_by, label_json = excluded.label_json, created_at = excluded.created_at${unlessOwner}`,
      [tenantId, path, by.type, hash, JSON.stringify(label), now],
    );
    if (by.type === "owner") yield* forget(tenantId, { path, hash }, "owner");
  }
  if (by.type === "tool" || files.length === 0) return;
  const lines = files.map(({ path, hash, label }) => JSON.stringify([path, hash, label]));
  yield* insertAudit(moment, {
    id: ids.make("a"),
    actor: by.actor,
    action: "file-label",
    resourceType: "file",
    resourceId: by.of,
    // Of which files, and of which content, can be proven, however many there are.
    metadata: { files: files.length, digest: digest("sha256", lines.join("\n")) },
    createdAt: now,
  });
}

export function* forgetOthers(tenantId: string, files: readonly FileVersion[]): Verb<void> {
  for (const file of files) yield* forget(tenantId, file, "tool");
}

/** What the writer said of other contents of the file. */
const forget = (tenantId: string, { path, hash }: FileVersion, by: LabelRow["set_by"]): Verb<void> =>
  change("DELETE FROM gate_files WHERE tenant_id = ? AND path = ? AND hash <> ? AND set_by = ?", [
    tenantId,
    path,
    hash,
    by,
  ]);

export function* forgetFiles(tenantId: string, path: string): Verb<void> {
  const below = `${path}/`;
  yield* change(
    "DELETE FROM gate_files WHERE tenant_id = ? AND (path = ? OR substr(path, 1, length(?)) = ?)",
    [tenantId, path, below, below],
  );
}

const toFileLabel = ({ set_by, label_json, created_at }: LabelRow): FileLabel => ({
  label: JSON.parse(label_json) as Label,
  by: set_by,
  at: created_at,
});
