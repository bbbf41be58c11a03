/**
 * Which modules are put into one chunk. Left to itself the bundler makes a chunk for every set of doors that lead to a module: hundreds of
 * small files, and finding, reading and linking them is most of what it takes to start. Here only a few doors count, the ways: whatever is
 * needed by the same ones goes together. So none of them loads what it does not need, everything is in one chunk only, and since what a
 * module imports is needed by at least the same ways, no two chunks import each other.
 */
import { fileURLToPath } from "node:url";
import { build, type UserConfig } from "tsdown";

/** Name → the modules that it begins with, as their path ends; what they import when they run counts only where it is named too. */
export type Ways = Readonly<Record<string, readonly string[]>>;

interface Chunk {
  fileName: string;
  moduleIds: string[];
  imports: string[];
}

/**
 * Module → the name of its chunk. What the first ways need is shared out among them alone; those after them, which are gone when one of the
 * first is already there, share the rest. Builds everything once to see who needs what; throws where a way begins with a module that is not there.
 */
export async function nameChunks(
  config: UserConfig,
  inTurn: readonly Ways[],
): Promise<ReadonlyMap<string, string>> {
  const chunks = await chunksOf(config);
  const names = new Map<string, string>();
  for (const ways of inTurn) {
    const known = new Set(names.keys());
    for (const [way, beginnings] of Object.entries(ways)) {
      const reached = modulesFrom(
        beginnings.map((path) => chunkWith(path, chunks)),
        chunks,
      );
      for (const id of reached) {
        if (known.has(id)) continue;
        const name = names.get(id);
        names.set(id, name === undefined ? way : `${name}-${way}`);
      }
    }
  }
  return names;
}

async function chunksOf(config: UserConfig): Promise<Chunk[]> {
  const [bundle] = await build({ ...config, config: false, write: false, minify: false, logLevel: "error" });
  return (bundle?.chunks ?? []).filter((chunk) => chunk.type === "chunk");
}

function chunkWith(path: string, chunks: readonly Chunk[]): Chunk {
  const root = fileURLToPath(new URL("../", import.meta.url));
  const found = chunks.find(({ moduleIds }) => moduleIds.includes(root + path));
  if (!found) throw new Error(`a way of tsdown.config.ts begins with ${path}, which is in no chunk`);
  return found;
}

function modulesFrom(beginnings: readonly Chunk[], chunks: readonly Chunk[]): string[] {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const reached = new Set(beginnings);
  for (const { imports } of reached) {
    for (const name of imports) {
      const chunk = byName.get(name);
      if (chunk) reached.add(chunk);
    }
  }
  return [...reached].flatMap(({ moduleIds }) => moduleIds);
}
