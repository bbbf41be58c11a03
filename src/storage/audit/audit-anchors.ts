/**
 * Anchors of the audit log: lines in a file outside the database, each stating under a seal that the chain had this
 * row. Truncating the chain together with its head would require to delete the lines as well, and the head says how
 * many there are.
 */
import { link, mkdir, open, rename, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { timestamp, type Clock } from "../../infra/clock.ts";
import { isSameSeal, type AuditAnchor, type AuditSeal } from "./audit-seal.ts";
import type { AuditStore } from "./audit.ts";
import { fileStamp } from "../home/file-stamp.ts";
import { syncDirectory, syncFile } from "../../infra/sync-to-disk.ts";

/** After this many rows, or this long with a row in it, a line is due. */
const mostRows = 256;
const mostMs = 5 * 60_000;

/** Larger files are cut to this. */
const mostBytes = 4 * 1024 * 1024;
const keptLines = 5000;
/** What holds the newest lines. */
const lastBytes = 4096;

export interface AnchorLines {
  /** Lines with a valid seal, in file order. Unreadable ones count for nothing: a power cut may leave one. */
  anchors: AuditAnchor[];
  /** Lines with a wrong seal. */
  forged: number;
  /** Undefined if there is no file. */
  file: string | undefined;
}

export interface AuditAnchors {
  /**
   * Writes a line for the newest row, unless it has one; with `due` only if a line is due. On disk when it resolves.
   */
  write(when: "due" | "now"): Promise<void>;
  /** All lines about this chain. Throws the system's error for an unreadable file. */
  read(): Promise<AnchorLines>;
  /** The newest line with a valid seal. Throws as `read` does. */
  last(): Promise<AuditAnchor | undefined>;
  /** Of a database that is an older one: lines about later rows go. The file as it was is kept under another name. */
  forgetAfter(seq: number): Promise<void>;
  /** Deletes the oldest lines to keep the file small. */
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
    // A line must not state more than what survives a power cut.
    const head = await audit.settledHead();
    if (!head || head.seq === 0 || head.seq <= head.anchoredSeq) return;
    const { seq, digest } = head;
    const anchor = { tenantId, seq, digest, time: timestamp(clock) };
    await appendLine(file, JSON.stringify({ ...anchor, mac: seal.anchor(anchor) }));
    await audit.noteAnchored(seq);
  }

  return {
    write,
    read: async () => parseLines(await readEnd(file, mostBytes), tenantId, seal, file),
    last: async () => parseLines(await readEnd(file, lastBytes), tenantId, seal, file).anchors.at(-1),
    async forgetAfter(seq) {
      const lines = ((await readEnd(file, mostBytes)) ?? "").split("\n").filter(Boolean);
      const kept = lines.filter((line) => (parseLine(line)?.anchor.seq ?? 0) <= seq);
      await link(file, `${file}.${fileStamp(clock)}`);
      await replace(kept);
    },
    async tidy() {
      const found = await stat(file).catch(() => undefined);
      if (!found || found.size < mostBytes / 2) return;
      const lines = ((await readEnd(file, mostBytes)) ?? "").split("\n").filter(Boolean);
      await replace(lines.slice(-keptLines));
    },
  };

  async function replace(lines: readonly string[]): Promise<void> {
    await writeFile(`${file}.new`, lines.map((line) => `${line}\n`).join(""), { mode: 0o600 });
    await syncFile(`${file}.new`);
    await rename(`${file}.new`, file);
    await syncDirectory(dirname(file));
  }
}

/** The last bytes of the file; undefined if there is none. */
async function readEnd(file: string, most: number): Promise<string | undefined> {
  const handle = await open(file, "r").catch(ignoreMissing);
  if (!handle) return undefined;
  try {
    const { size } = await handle.stat();
    const length = Math.min(size, most);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, size - length);
    const text = buffer.toString("utf8", 0, bytesRead);
    // A line whose beginning is cut off does not count.
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
    // A line torn by a power cut must not damage this one.
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
    file: text === undefined ? undefined : file,
  };
  for (const line of (text ?? "").split("\n")) {
    if (line.trim() === "") continue;
    const parsed = parseLine(line);
    if (!parsed || parsed.anchor.tenantId !== tenantId) continue;
    if (!seal || !isSameSeal(parsed.mac, seal.anchor(parsed.anchor))) found.forged++;
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
