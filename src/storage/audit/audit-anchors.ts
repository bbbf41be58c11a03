/**
 * Anchors of the audit log: lines in a file outside of the database, each saying under a seal that the chain had this row. Whoever takes rows
 * away from the end, with the head of the chain, would have to take the lines away as well, and the head says how far there are lines.
 */
import { mkdir, open, rename, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { timestamp, type Clock } from "../../infra/clock.ts";
import { isSameSeal, type AuditAnchor, type AuditSeal } from "./audit-seal.ts";
import type { AuditStore } from "./audit.ts";
import { syncDirectory, syncFile } from "../../infra/sync-to-disk.ts";

/** So many rows, or so much time with a row in it, have a line at the latest. */
const mostRows = 256;
const mostMs = 5 * 60_000;

/** More than this is not read, and not kept. */
const mostBytes = 4 * 1024 * 1024;
const keptLines = 5000;

export interface AnchorLines {
  /** Those with a seal that is right, in the order of the file. */
  anchors: AuditAnchor[];
  /** How many say something under a seal that is wrong. */
  forged: number;
  /** How many cannot be read: a power cut may leave one. */
  unreadable: number;
  /** Undefined where there is no file. */
  file: string | undefined;
}

export interface AuditAnchors {
  /** Writes a line for the newest row, if there is none yet; with `due`, only where it is time for one. On the disk when it resolves. */
  write(when: "due" | "now"): Promise<void>;
  /** All lines about this chain. Throws the system's error for a file that is there and cannot be read. */
  read(): Promise<AnchorLines>;
  /** Keeps the file small: the oldest lines go. */
  tidy(): Promise<void>;
}

export function createAuditAnchors(parts: {
  file: string;
  tenantId: string;
  audit: Pick<AuditStore, "head" | "settledHead" | "noteAnchored">;
  /** Without one nothing is written. */
  seal: AuditSeal | undefined;
  clock: Clock;
}): AuditAnchors {
  const { file, tenantId, audit, seal, clock } = parts;

  async function isDue(): Promise<boolean> {
    const head = await audit.head();
    if (!head || head.seq <= head.anchoredSeq) return false;
    if (head.seq - head.anchoredSeq >= mostRows) return true;
    const found = await stat(file).catch(() => undefined);
    return found === undefined || clock.now() - found.mtimeMs >= mostMs;
  }

  async function write(when: "due" | "now"): Promise<void> {
    if (!seal || (when === "due" && !(await isDue()))) return;
    // What a line says is there must be there after a power cut, too.
    const head = await audit.settledHead();
    if (!head || head.seq === 0 || head.seq <= head.anchoredSeq) return;
    const { seq, digest } = head;
    const anchor = { tenantId, seq, digest, time: timestamp(clock) };
    await appendLine(file, JSON.stringify({ ...anchor, mac: seal.anchor(anchor) }));
    await audit.noteAnchored(seq);
  }

  return {
    write,
    read: async () => parseLines(await readEnd(file), tenantId, seal, file),
    async tidy() {
      const found = await stat(file).catch(() => undefined);
      if (!found || found.size < mostBytes / 2) return;
      const lines = ((await readEnd(file)) ?? "").split("\n").filter(Boolean).slice(-keptLines);
      await writeFile(`${file}.new`, `${lines.join("\n")}\n`, { mode: 0o600 });
      await syncFile(`${file}.new`);
      await rename(`${file}.new`, file);
      await syncDirectory(dirname(file));
    },
  };
}

/** The last bytes of the file; undefined where there is none. */
async function readEnd(file: string): Promise<string | undefined> {
  const handle = await open(file, "r").catch(ignoreMissing);
  if (!handle) return undefined;
  try {
    const { size } = await handle.stat();
    const length = Math.min(size, mostBytes);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, size - length);
    const text = buffer.toString("utf8", 0, bytesRead);
    // Where it begins in the middle of a line, that line is not one.
    return size > length ? text.slice(text.indexOf("\n") + 1) : text;
  } finally {
    await handle.close();
  }
}

async function appendLine(file: string, line: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const handle = await open(file, "a+", 0o600);
  try {
    const { size } = await handle.stat();
    const last = size > 0 ? await handle.read(Buffer.alloc(1), 0, 1, size - 1) : undefined;
    // A line that a power cut has torn must not take this one with it.
    const begin = last && last.buffer.toString() !== "\n" ? "\n" : "";
    await handle.writeFile(`${begin}${line}\n`);
    await handle.sync();
    if (size === 0) await syncDirectory(dirname(file));
  } finally {
    await handle.close();
  }
}

function parseLines(
  text: string | undefined,
  tenantId: string,
  seal: AuditSeal | undefined,
  file: string,
): AnchorLines {
  const found: AnchorLines = {
    anchors: [],
    forged: 0,
    unreadable: 0,
    file: text === undefined ? undefined : file,
  };
  for (const line of (text ?? "").split("\n")) {
    if (line.trim() === "") continue;
    const parsed = parseLine(line);
    if (!parsed) found.unreadable++;
    else if (parsed.anchor.tenantId !== tenantId) continue;
    else if (!seal || !isSameSeal(parsed.mac, seal.anchor(parsed.anchor))) found.forged++;
    else found.anchors.push(parsed.anchor);
  }
  return found;
}

function parseLine(line: string): { anchor: AuditAnchor; mac: string } | undefined {
  try {
    const { tenantId, seq, digest, time, mac } = JSON.parse(line) as AuditAnchor & { mac: string };
    const texts = [tenantId, digest, time, mac];
    if (!Number.isSafeInteger(seq) || texts.some((each) => typeof each !== "string")) return undefined;
    return { anchor: { tenantId, seq, digest, time }, mac };
  } catch {
    return undefined;
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
  return undefined;
}
