/** Tells the owner of a home from before, once for each workdir, that nobody knows who wrote what is in it. */
import { readdir, realpath } from "node:fs/promises";
import type { TenantStores } from "../../storage/storage.ts";
import type { FilePlaces } from "./file-place.ts";

export async function noticeUnlabelled({
  stores: { gate, notices },
  places,
  workdirs,
}: {
  stores: {
    gate: Pick<TenantStores["gate"], "historyAt">;
    notices: Pick<TenantStores["notices"], "add" | "list">;
  };
  places: Pick<FilePlaces, "of">;
  workdirs: readonly string[];
}): Promise<void> {
  for (const workdir of workdirs) {
    const real = await realpath(workdir).catch(() => undefined);
    // As old as can be: whether there is anything that nobody noted.
    if (real === undefined || (await gate.historyAt(places.of(real), 0)) === "known") continue;
    const names = await readdir(real).catch(() => []);
    if (names.every((name) => ours.has(name.toLowerCase()))) continue;
    const subject = `unlabelled:${real}`;
    const told = await notices.list({ limit: 1000, all: true });
    if (told.some((notice) => notice.subject === subject)) continue;
    const text = { key: "notice.unlabelled", parameters: { workdir: real } };
    await notices.add({ kind: "unlabelled", subject, text });
  }
}

/** What Pincer itself puts into a workdir. */
const ours = new Set(["memory", "memory.md", ".pincer"]);
