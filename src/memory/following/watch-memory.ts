/**
 * Watches memory files for changes. Watches only the few directories that can contain one, by system events, which
 * cost nothing while idle; missed events are found at the next full check.
 */
import { readdirSync, watch, type FSWatcher } from "node:fs";
import { join } from "node:path";

export interface MemoryWatch {
  /** Safe to call twice. */
  close(): void;
}

export interface WatchMemoryParts {
  workdir: string;
  onChange(): void;
  /** Where the system gives no notices (a network share, too many watches): told once. */
  onTrouble(error: unknown): void;
}

export function watchMemory({ workdir, onChange, onTrouble }: WatchMemoryParts): MemoryWatch {
  const memory = join(workdir, "memory");
  const watchers = new Map<string, FSWatcher>();
  let isTroubled = false;

  function follow(directory: string, changed: (name: string | null) => void): void {
    if (watchers.has(directory)) return;
    try {
      const watcher = watch(directory, { persistent: false }, (_event, name) => changed(name));
      watcher.on("error", () => drop(directory));
      watchers.set(directory, watcher);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT" || isTroubled) return;
      isTroubled = true;
      onTrouble(error);
    }
  }

  /** Also what lies in it: a directory that came back under its name is another one. */
  function drop(directory: string): void {
    for (const [path, watcher] of watchers)
      if (path === directory || path.startsWith(`${directory}/`)) {
        watcher.close();
        watchers.delete(path);
      }
  }

  function followAll(): void {
    follow(workdir, (name) => {
      if (name !== null && !/^memory(\.md)?$/i.test(name)) return;
      drop(memory);
      tell();
    });
    follow(memory, (name) => {
      if (name !== null && !name.endsWith(".md")) drop(join(memory, name));
      tell();
    });
    for (const directory of directoriesIn(memory))
      follow(directory, (name) => {
        if (name !== null && !name.endsWith(".md")) drop(join(directory, name));
        tell();
      });
  }

  function tell(): void {
    followAll();
    onChange();
  }

  followAll();
  return { close: () => [...watchers.keys()].forEach(drop) };
}

/** As deep as files of memory are looked for, and more than anybody keeps: one a month. */
const deepest = 8;
const mostDirectories = 600;

function directoriesIn(directory: string, depth = deepest): string[] {
  if (depth === 0) return [];
  try {
    return readdirSync(directory, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => join(directory, name))
      .flatMap((path) => [path, ...directoriesIn(path, depth - 1)])
      .slice(0, mostDirectories);
  } catch {
    return []; // none, or none that we may read
  }
}
