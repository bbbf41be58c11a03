/** The file that messages go out to: one line each, on the disk before the send counts as done. */
import { mkdir, open, stat, type FileHandle } from "node:fs/promises";
import { dirname } from "node:path";
import { SendError } from "@pincer/sdk";

export interface OutboxFile {
  /**
   * Appends one line, to a new file when the old one was removed or moved away. Throws SendError: `unavailable` when nothing was written,
   * else `closed`.
   */
  append(line: object): Promise<void>;
  /** Whether a message with this key is in the file, or in the one that was moved away last, and under which id. */
  find(idempotencyKey: string): Promise<string | undefined>;
  close(): Promise<void>;
}

export async function openOutboxFile(path: string): Promise<OutboxFile> {
  let handle = await openNamed(path);
  // What was moved away may still be asked about.
  let before: FileHandle | undefined;
  // One line after another, also when several conversations send at once.
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <Answer>(work: () => Promise<Answer>): Promise<Answer> => {
    const mine = last.then(work);
    last = mine.catch(() => undefined);
    return mine;
  };
  async function openAnewIfGone(): Promise<void> {
    if (await isNamed(path, handle)) return;
    const opened = await openNamed(path).catch((cause: unknown) => {
      throw new SendError("unavailable", "the outbox file is missing and could not be created", { cause });
    });
    const oldest = before;
    [before, handle] = [handle, opened];
    await oldest?.close();
  }
  return {
    append: (line) =>
      inTurn(async () => {
        await openAnewIfGone();
        await appendLine(handle, `${JSON.stringify(line)}\n`);
      }),
    find: (idempotencyKey) =>
      inTurn(async () => {
        await openAnewIfGone();
        return (
          (await findKey(handle, idempotencyKey)) ??
          (before ? await findKey(before, idempotencyKey) : undefined)
        );
      }),
    close: () =>
      inTurn(async () => {
        await before?.close();
        await handle.close();
      }),
  };
}

async function openNamed(path: string): Promise<FileHandle> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const handle = await open(path, "a+", 0o600);
  await syncDirectory(dirname(path));
  return handle;
}

/** Whether the name still refers to this file. */
async function isNamed(path: string, handle: FileHandle): Promise<boolean> {
  const [named, opened] = await Promise.all([
    // Opening the name again shows what is wrong.
    stat(path, { bigint: true }).catch(() => undefined),
    handle.stat({ bigint: true }),
  ]);
  return named !== undefined && named.ino === opened.ino && named.dev === opened.dev;
}

/** A file that is new must keep its name through a power cut. */
async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, "r").catch(() => undefined);
  // Some systems cannot sync a directory; the lines are on the disk all the same.
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}

async function appendLine(handle: FileHandle, line: string): Promise<void> {
  const { size } = await handle.stat();
  try {
    // A line that a crash cut short ends here and counts for nothing.
    const torn = size > 0 && (await lastByte(handle, size)) !== 10 ? "\n" : "";
    await handle.appendFile(torn + line);
    await handle.datasync();
  } catch (error) {
    const isUndone = await handle.truncate(size).then(
      () => true,
      () => false,
    );
    const code = isUndone ? "unavailable" : "closed";
    throw new SendError(code, "the outbox file could not be written", { cause: error });
  }
}

async function lastByte(handle: FileHandle, size: number): Promise<number | undefined> {
  const byte = Buffer.alloc(1);
  await handle.read(byte, 0, 1, size - 1);
  return byte[0];
}

const blockBytes = 64 * 1024;

/** From the end backwards: what is looked for was written lately. */
async function findKey(handle: FileHandle, idempotencyKey: string): Promise<string | undefined> {
  const wanted = Buffer.from(`"idempotencyKey":${JSON.stringify(idempotencyKey)}`);
  let { size: end } = await handle.stat();
  // What stands before the first whole line of the block read last.
  let rest = Buffer.alloc(0);
  while (end > 0) {
    const start = Math.max(0, end - blockBytes);
    const block = Buffer.alloc(end - start);
    await handle.read(block, 0, block.length, start);
    const bytes = Buffer.concat([block, rest]);
    const firstEnd = start === 0 ? -1 : bytes.indexOf(10);
    const lines = start === 0 ? bytes : firstEnd < 0 ? Buffer.alloc(0) : bytes.subarray(firstEnd + 1);
    const found = lines.includes(wanted) ? idIn(lines, idempotencyKey) : undefined;
    if (found !== undefined) return found;
    rest = Buffer.from(firstEnd < 0 && start > 0 ? bytes : bytes.subarray(0, firstEnd + 1));
    end = start;
  }
  return undefined;
}

function idIn(lines: Buffer, idempotencyKey: string): string | undefined {
  // The last piece is empty, or a line that is not whole.
  for (const line of lines.toString("utf8").split("\n").slice(0, -1)) {
    try {
      const item = JSON.parse(line) as { idempotencyKey?: unknown; id?: unknown };
      if (item.idempotencyKey === idempotencyKey && typeof item.id === "string") return item.id;
    } catch {
      // Torn by a crash: it was never sent.
    }
  }
  return undefined;
}
