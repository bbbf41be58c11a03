/** What a turn changed, line by line, from the contents that were kept before and after it. */
import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { unifiedDiff } from "../../infra/unified-diff.ts";
import type { Change, State } from "./kept.ts";
import type { TurnDiff } from "./snapshots.ts";
import type { Store } from "./store.ts";
import type { TurnRecord } from "./turn-records.ts";

const mostFileBytes = 400_000;
const mostTextChars = 1_000_000;

/** Throws what the disk does. */
export async function diffOf(store: Pick<Store, "blobs">, record: TurnRecord): Promise<TurnDiff> {
  const changes = record.changes.filter(isOfPeople);
  const texts: string[] = [];
  const diff: TurnDiff = {
    files: changes.length,
    added: 0,
    removed: 0,
    text: "",
    isWhole: true,
    setAside: await setAside(record),
  };
  let length = 0;
  for (const change of changes) {
    const { text, added, removed, isWhole } = await fileDiff(store, change);
    diff.added += added;
    diff.removed += removed;
    length += text.length;
    diff.isWhole &&= isWhole && length <= mostTextChars;
    if (length <= mostTextChars) texts.push(text);
  }
  return { ...diff, text: texts.join("\n") };
}

/** Directories come with what is in them, and a repository's own files are guarded by name. */
const isOfPeople = ({ path, before, after }: Change): boolean =>
  [before, after].some((state) => state !== null && state.type !== "directory") &&
  !path.split("/").slice(0, -1).includes(".git");

async function fileDiff(store: Pick<Store, "blobs">, { path, before, after }: Change) {
  const [old, now] = [await textOf(store, before), await textOf(store, after)];
  const mode = modeChange(before, after);
  const isWhole = old !== "unknown" && now !== "unknown";
  if (typeof old === "string" || typeof now === "string") {
    const words = [old, now].includes("unknown") ? "not kept, or too large to show" : "not a text";
    return { text: [path, ...mode, words].join("\n"), added: 0, removed: 0, isWhole };
  }
  const diff = await unifiedDiff({ path, before: old.text, after: now.text });
  const [first = "", second = "", ...rest] = diff.text.split("\n");
  return { ...diff, text: [first, second, ...mode, ...rest].join("\n"), isWhole };
}

async function textOf(
  { blobs }: Pick<Store, "blobs">,
  state: State,
): Promise<{ text: string | undefined } | "binary" | "unknown"> {
  if (state === null || state.type === "directory") return { text: undefined };
  if (state.type === "link") return { text: `link to ${state.target}\n` };
  const bytes = state.digest === undefined ? undefined : await blobs.read(state.digest, mostFileBytes);
  if (!bytes) return "unknown";
  return bytes.includes(0) ? "binary" : { text: bytes.toString("utf8") };
}

function modeChange(before: State, after: State): string[] {
  if (after?.type !== "file") return [];
  const [old, now] = [before?.type === "file" ? before.mode : 0o644, after.mode];
  return (old & 0o111) === (now & 0o111) ? [] : [`mode ${old.toString(8)} → ${now.toString(8)}`];
}

const asideMark = /\.unreviewed(?:-[\w-]+)?(?=\/|$)/;

/** Where the place is free a whole directory can go back; else each file by itself. */
async function setAside({ workdir, changes }: TurnRecord): Promise<TurnDiff["setAside"]> {
  const made = changes.filter(({ path, before, after }) => before === null && after && asideMark.test(path));
  const found: TurnDiff["setAside"] = [];
  for (const { path, after } of made.toSorted((one, other) => (one.path < other.path ? -1 : 1))) {
    if (found.some(({ keptAs }) => path.startsWith(`${keptAs}/`))) continue;
    const meant = path.replace(asideMark, "");
    const isTaken = async () => (await lstat(join(workdir, meant)).catch(() => undefined))?.isDirectory();
    if (after?.type === "directory" && (await isTaken())) continue;
    found.push({ path: meant, keptAs: path });
  }
  return found;
}
