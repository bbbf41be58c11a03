/** A disk of its own for one life, small enough to be filled: a tmpfs over the home, in a namespace that ends with the process. */
import { spawnSync } from "node:child_process";
import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";

const namespace = ["--user", "--map-root-user", "--mount"];

let known: boolean | undefined;

/** Whether an ordinary user may mount one here. */
export function canMountDisk(): boolean {
  known ??=
    process.platform === "linux" &&
    spawnSync("unshare", [...namespace, "mount", "-t", "tmpfs", "none", "/mnt"]).status === 0;
  return known;
}

/** The commands to start a process through. What it leaves is copied back when it has ended, however it ended. */
export const onSmallDisk = (home: string): string[] => [
  "unshare",
  ...namespace,
  "sh",
  "-c",
  script,
  "sh",
  home,
];

const script = `
home=$1; shift
below=$home.below
mkdir -p "$below" && mount --bind "$home" "$below" && mount -t tmpfs -o size=24m,mode=700 none "$home" || exit 70
cp -a "$below/." "$home/" && cd "$home" || exit 71
"$@"
status=$?
rm -f "$home/ballast"
find "$below" -mindepth 1 -delete
cp -a "$home/." "$below/" || exit 72
exit $status
`;

const ballastOf = (pid: number, home: string) => join(`/proc/${pid}/root`, home, "ballast");

/** Fills the disk of that process to its last byte. Throws what the file system does, except that it is full. */
export function fillDisk(pid: number, home: string): void {
  const descriptor = openSync(ballastOf(pid, home), "w", 0o600);
  try {
    for (let length = 1 << 20; length > 0; length = length >> 1) fillWith(descriptor, Buffer.alloc(length));
  } finally {
    closeSync(descriptor);
  }
}

function fillWith(descriptor: number, bytes: Buffer): void {
  try {
    for (;;) if (writeSync(descriptor, bytes) < bytes.length) return;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
  }
}

export const freeDisk = (pid: number, home: string): void => rmSync(ballastOf(pid, home), { force: true });
