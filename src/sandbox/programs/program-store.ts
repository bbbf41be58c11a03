/** Programs on disk: one directory each, with its record and output. */
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isSafeFileName } from "./program-name.ts";
import type { ProgramRecord } from "./program.ts";

/** A record with what only this folder needs. */
export interface StoredProgram {
  record: ProgramRecord;
  /** The process that runs it. */
  host: { pid: number; start: string };
  /** When the program's own process started; "" where the system does not say. */
  processStart: string;
  /** The offset of the output file's first byte. */
  outputStart: number;
}

export interface ProgramStore {
  /** Makes the directory if need be. */
  prepare(id: string): Promise<void>;
  save(stored: StoredProgram): Promise<void>;
  outputFile(id: string): string;
  /** The readable ones, newest first. */
  all(): Promise<StoredProgram[]>;
  remove(id: string): Promise<void>;
}

export function createProgramStore(directory: string): ProgramStore {
  const fileOf = (id: string) => join(directory, id, "record.json");

  async function read(id: string): Promise<StoredProgram | undefined> {
    try {
      const stored = JSON.parse(await readFile(fileOf(id), "utf8")) as StoredProgram;
      return stored.record.id === id ? stored : undefined;
    } catch {
      // Left incomplete by a killed process: nothing to report.
      return undefined;
    }
  }

  return {
    prepare: async (id) => void (await mkdir(join(directory, id), { recursive: true, mode: 0o700 })),
    async save(stored) {
      const file = fileOf(stored.record.id);
      await writeFile(`${file}.new`, JSON.stringify(stored), { mode: 0o600 });
      await rename(`${file}.new`, file);
    },
    outputFile: (id) => join(directory, id, "output"),
    async all() {
      const names = await readdir(directory).catch(() => []);
      const found = await Promise.all(names.filter(isSafeFileName).map(read));
      return found
        .filter((stored) => stored !== undefined)
        .sort((one, other) => (one.record.id < other.record.id ? 1 : -1));
    },
    remove: (id) => rm(join(directory, id), { recursive: true, force: true }),
  };
}
