/** Appends to a text file of the workdir, reading and writing through one checked handle. */
import { constants } from "node:fs";
import { formatBytes } from "../infra/format-bytes.ts";
import type { WriteOptions } from "./change-files.ts";
import { hashOf, nameIn } from "./file-version.ts";
import { WorkdirError, type WorkdirOpener } from "./workdir-opener.ts";

export interface Appending {
  opener: WorkdirOpener;
  path: string;
  maxBytes: number;
  compose(present: string): string;
  before?: WriteOptions["before"];
}

/** On the disk when it resolves. Throws WorkdirError, and what `compose` throws. */
export async function appendToFile({ opener, path, maxBytes, compose, before }: Appending): Promise<void> {
  const { handle, real } = await opener.openOrMake(path, constants.O_RDWR | constants.O_APPEND);
  try {
    const found = await handle.stat();
    // A hard link looks like a file of the workdir and may belong anywhere else.
    if (found.nlink > 1)
      throw new WorkdirError(`${path} has a second name elsewhere; replace it by a copy of its own`);
    if (found.size > maxBytes) throw full(path, maxBytes);

    const present = await handle.readFile();
    if (present.includes(0)) throw new WorkdirError(`${path} is not a text file`);
    const added = compose(present.toString("utf8"));
    if (added !== "" && present.length + Buffer.byteLength(added) > maxBytes) throw full(path, maxBytes);
    if (before && added !== "") {
      const name = nameIn((await opener.limits()).realRoot, real);
      const hash = hashOf(Buffer.concat([present, Buffer.from(added)]));
      // One that was made just now is made of nothing.
      const from = { real, name, hash: hashOf(present), ctimeMs: found.ctimeMs };
      await before({ real, name, hash, ...(present.length > 0 && { from }) });
    }
    if (added !== "") await handle.appendFile(added);
    // Also if nothing is added: an earlier call may have crashed before its sync.
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const full = (path: string, maxBytes: number) =>
  new WorkdirError(
    `${path} is full: it may have ${formatBytes(maxBytes)}; move what is old to another file, or shorten it`,
  );
