/** The proxy's socket: in a private directory, under a name that no other process of ours uses. */
import { randomBytes } from "node:crypto";
import { chmod, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureDir } from "../../config/home.ts";

export interface SocketPlace {
  socket: string;
  /** Call this once the server listens. */
  protect(): Promise<void>;
  remove(): Promise<void>;
}

/** The system's limit for a socket address. */
const longestPath = process.platform === "linux" ? 107 : 103;

/** Removes what processes that have died left there. Throws the system's error. */
export async function placeSocket(directory: string): Promise<SocketPlace> {
  const name = `egress-${process.pid}-${randomBytes(4).toString("hex")}.sock`;
  const isTooLong = Buffer.byteLength(join(directory, name)) > longestPath;
  // Made for its owner alone, as the directories of the home are.
  const socketDirectory = isTooLong ? await mkdtemp(join(tmpdir(), "pincer-egress-")) : directory;
  if (!isTooLong) {
    ensureDir(directory);
    await removeOrphans(directory);
  }
  const socket = join(socketDirectory, name);
  return {
    socket,
    protect: () => chmod(socket, 0o600),
    remove: () => rm(isTooLong ? socketDirectory : socket, { recursive: isTooLong, force: true }),
  };
}

async function removeOrphans(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    const [, pid] = /^egress-(\d+)-[0-9a-f]{8}\.sock$/.exec(name) ?? [];
    if (pid !== undefined && !isAlive(Number(pid))) await rm(join(directory, name), { force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}
