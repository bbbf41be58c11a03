/** A workdir, a place for snapshots beside it, and ways to look at both. */
import { createHandClock, type HandClock } from "@pincer/sdk/testing";
import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  realpath,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createIds } from "../../../infra/ids.ts";
import { createWorkdirOpener } from "../../workdir-opener.ts";
import { createSnapshots, type SnapshotParts, type SnapshotSettings } from "../create-snapshots.ts";
import type { Disk } from "../disk.ts";
import { createHosts } from "../hosts.ts";
import type { Snapshots, TurnPlace } from "../snapshots.ts";

/** What a path holds, in a word: `file 644 text`, `link target`, `directory 755`. */
export type Shown = Record<string, string>;

export interface SnapshotStage {
  root: string;
  workdir: string;
  directory: string;
  clock: HandClock;
  snapshots: Snapshots;
  place(turnId: string, sessionKey?: string): TurnPlace;
  /** As a process does that starts anew: those before it are gone. */
  reopen(disk?: Disk): Snapshots;
  /** As another process does that runs beside them. */
  beside(parts?: Pick<Partial<SnapshotParts>, "disk" | "restMs">): Snapshots;
  /** What was told while recovering. */
  errors: unknown[];
  write(path: string, text: string | Uint8Array, mode?: number): Promise<void>;
  link(path: string, target: string): Promise<void>;
  make(path: string, mode?: number): Promise<void>;
  remove(path: string): Promise<void>;
  chmod(path: string, mode: number): Promise<void>;
  /** Everything below a directory of the stage; the workdir unless told. */
  tree(of?: string): Promise<Shown>;
  /** A whole turn that may change anything. */
  turn(turnId: string, work: () => Promise<void>): Promise<void>;
  clear(): Promise<void>;
}

export async function stageSnapshots(given: Partial<SnapshotSettings> = {}): Promise<SnapshotStage> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "pincer-undo-")));
  const workdir = join(root, "work");
  const directory = join(root, "home", "snapshots");
  await mkdir(workdir);
  await mkdir(join(root, "home"));
  const clock = createHandClock();
  const settings: SnapshotSettings = {
    exclude: ["node_modules"],
    keepDays: 14,
    maxFileBytes: 5_000_000,
    maxBytes: 1_000_000_000,
    ...given,
  };
  const at = (path: string) => join(workdir, path);
  const errors: unknown[] = [];
  const living = new Set<number>();
  let pid = 0;
  const beside: SnapshotStage["beside"] = (parts = {}) => {
    living.add(++pid);
    const startOf = async (asked: number) => (living.has(asked) ? `start of ${asked}` : undefined);
    return createSnapshots({
      directory,
      clock,
      ids: createIds(),
      settings: () => settings,
      openerFor: (path) => createWorkdirOpener({ workdir: path, closed: join(root, "home") }),
      onError: (error) => void errors.push(error),
      hosts: createHosts({ pid, processes: { startOf } }),
      restMs: 0,
      ...parts,
    });
  };
  const reopen = (disk?: Disk) => {
    living.clear();
    return beside(disk ? { disk } : {});
  };
  const snapshots = reopen();
  const place = (turnId: string, sessionKey = "agent:main:main") => ({
    turnId,
    sessionKey,
    agentId: "main",
    workdir,
  });
  return {
    root,
    workdir,
    directory,
    clock,
    snapshots,
    reopen,
    beside,
    errors,
    place,
    async write(path, text, mode = 0o644) {
      await mkdir(dirname(at(path)), { recursive: true });
      await writeFile(at(path), text);
      await chmod(at(path), mode);
    },
    async link(path, target) {
      await mkdir(dirname(at(path)), { recursive: true });
      await symlink(target, at(path));
    },
    async make(path, mode = 0o755) {
      await mkdir(at(path), { recursive: true });
      await chmod(at(path), mode);
    },
    remove: (path) => rm(at(path), { recursive: true, force: true }),
    chmod: (path, mode) => chmod(at(path), mode),
    tree: (of = "work") => treeOf(join(root, of)),
    async turn(turnId, work) {
      await snapshots.before(place(turnId), "anything");
      await work();
      await snapshots.after(turnId);
      await clock.advance(1000);
    },
    clear: () => rm(root, { recursive: true, force: true }),
  };
}

async function treeOf(directory: string, way = ""): Promise<Shown> {
  const shown: Shown = {};
  for (const name of (await readdir(join(directory, way))).toSorted()) {
    const path = way === "" ? name : `${way}/${name}`;
    const stat = await lstat(join(directory, path));
    const mode = (stat.mode & 0o777).toString(8);
    if (stat.isSymbolicLink()) shown[path] = `link ${await readlink(join(directory, path))}`;
    else if (stat.isFile()) shown[path] = `file ${mode} ${await readFile(join(directory, path), "latin1")}`;
    else if (stat.isDirectory()) {
      shown[path] = `directory ${mode}`;
      Object.assign(shown, await treeOf(directory, path));
    } else shown[path] = "other";
  }
  return shown;
}
