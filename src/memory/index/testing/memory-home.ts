/** A directory of its own for a test, with stores on one file in it. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { MemoryStore } from "@pincer/sdk";
import { systemClock } from "../../../infra/clock.ts";
import { type MemoryStoreParts, openMemoryStore } from "../sqlite-memory-store.ts";

export interface MemoryHome {
  directory: string;
  file: string;
  open(parts?: Partial<MemoryStoreParts>): Promise<MemoryStore>;
  /** Closes all stores and removes the directory. */
  remove(): Promise<void>;
}

export async function createMemoryHome(): Promise<MemoryHome> {
  const directory = await mkdtemp(join(tmpdir(), "pincer-memory-"));
  const file = join(directory, "index.db");
  const stores: MemoryStore[] = [];
  return {
    directory,
    file,
    async open(parts = {}) {
      const settings = {
        file,
        tenantId: "t",
        embedder: undefined,
        cacheMaxEntries: 50_000,
        clock: systemClock,
      };
      const store = await openMemoryStore({ ...settings, ...parts });
      stores.push(store);
      return store;
    },
    async remove() {
      await Promise.all(stores.map((store) => store.close()));
      await rm(directory, { recursive: true });
    },
  };
}
