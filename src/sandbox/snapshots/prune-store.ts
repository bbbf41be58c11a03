/** Throws away what is too old or too much of one workdir, and the contents that nothing names any more. */
import type { Kept, State } from "./kept.ts";
import type { Store } from "./store.ts";
import type { TurnRecord } from "./turn-records.ts";

export interface PruneLimits {
  /** Milliseconds; what is older goes. */
  oldest: number;
  maxBytes: number;
  /** How long unreferenced content stays: another process may be about to reference it. */
  restMs: number;
  /** Whether the turn is under way, here or elsewhere. */
  isRunning(record: TurnRecord): Promise<boolean>;
}

/** The caller has exclusive access. Deletes records before the contents that they name. */
export async function pruneStore(
  store: Store,
  { oldest, maxBytes, restMs, isRunning }: PruneLimits,
): Promise<void> {
  const { records, listings, blobs } = store;
  const sizes = new Map<string, { bytes: number; keptAt: number }>();
  for await (const { digest, ...rest } of blobs.list()) sizes.set(digest, rest);

  const named = new Set<string>();
  let bytes = 0;
  const name = (state: State) => {
    const digest = state?.type === "file" ? state.digest : undefined;
    if (digest === undefined || named.has(digest)) return;
    named.add(digest);
    bytes += sizes.get(digest)?.bytes ?? 0;
  };
  const nameListing = async (listing: string | undefined) => {
    const entries = listing === undefined ? undefined : await listings.read(listing);
    for (const kept of entries?.values() ?? ([] as Kept[])) name(kept);
  };

  const latest = (await listings.names()).at(-1);
  await nameListing(latest);
  const used = new Set([latest]);
  let stays = 0;
  for await (const record of records.newest()) {
    for (const state of statesOf(record)) name(state);
    await nameListing(record.listing);
    const isTooMuch = record.at < oldest || bytes > maxBytes;
    if (isTooMuch && !(await isRunning(record))) {
      await records.remove(record);
      continue;
    }
    used.add(record.listing);
    stays++;
  }
  // Nobody worked here for long: the listing, and what only it names, can be made again.
  if (stays === 0) used.clear();
  const before = await store.ago(restMs);
  for (const listing of await listings.names())
    if (!used.has(listing) && (await listings.usedAt(listing)) <= before) await listings.remove(listing);
  await removeUnnamed(store, sizes, before);
}

/** What came of a tainted turn is kept until the owner has seen it. */
const statesOf = ({ kept, changes, isTainted, seen }: TurnRecord): State[] => [
  ...kept.values(),
  ...changes.map(({ before }) => before),
  ...(isTainted === true && seen !== true ? changes.map(({ after }) => after) : []),
];

/** Reads what is left again: counted items may be gone. */
async function removeUnnamed(
  { records, listings, blobs }: Store,
  sizes: ReadonlyMap<string, { keptAt: number }>,
  before: number,
): Promise<void> {
  const named = new Set<string>();
  const name = (state: State) => {
    if (state?.type === "file" && state.digest !== undefined) named.add(state.digest);
  };
  for (const listing of await listings.names())
    for (const kept of (await listings.read(listing))?.values() ?? []) name(kept);
  for await (const record of records.newest()) statesOf(record).forEach(name);
  for (const [digest, { keptAt }] of sizes)
    if (!named.has(digest) && keptAt <= before) await blobs.remove(digest);
}
