/** What is remembered of the first run: skipped steps, and whether it is over. */
import { setupSteps, type SetupStep } from "@pincer/sdk";
import { join } from "node:path";
import type { Home } from "../../config/home.ts";
import { readIfThere } from "../../config/read-regular-file.ts";
import { replacePrivateFile } from "../../config/write-private-file.ts";
import { timestamp, type Clock } from "../../infra/clock.ts";

export interface SetupRecord {
  doneAt: string | null;
  leftOut: SetupStep[];
}

export interface SetupRecords {
  /** Never throws: what cannot be read says that nothing was done yet, and the steps are offered again. */
  read(): Promise<SetupRecord>;
  /** Without a step, all of it. Safe to call again. Throws what the disk does. */
  close(step: SetupStep | undefined): Promise<SetupRecord>;
}

export function createSetupRecords({
  home,
  clock,
}: {
  home: Pick<Home, "root">;
  clock: Clock;
}): SetupRecords {
  const file = join(home.root, "setup.json");

  async function read(): Promise<SetupRecord> {
    const text = await readIfThere(file).catch(() => undefined);
    return text === undefined ? nothing : parse(text);
  }

  return {
    read,
    async close(step) {
      const before = await read();
      const record: SetupRecord = step
        ? { ...before, leftOut: setupSteps.filter((each) => each === step || before.leftOut.includes(each)) }
        : { ...before, doneAt: before.doneAt ?? timestamp(clock) };
      await replacePrivateFile(file, `${JSON.stringify(record, null, 2)}\n`);
      return record;
    },
  };
}

const nothing: SetupRecord = { doneAt: null, leftOut: [] };

function parse(text: string): SetupRecord {
  try {
    const { doneAt, leftOut } = JSON.parse(text) as Partial<Record<keyof SetupRecord, unknown>>;
    return {
      doneAt: typeof doneAt === "string" && Number.isFinite(Date.parse(doneAt)) ? doneAt : null,
      leftOut: setupSteps.filter((step) => Array.isArray(leftOut) && leftOut.includes(step)),
    };
  } catch {
    return nothing; // cut off, or not ours
  }
}
