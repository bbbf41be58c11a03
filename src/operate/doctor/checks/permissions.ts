import { chmod, lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { byRepair, type Check, type Finding } from "../check.ts";
import type { ExaminedHome } from "../../../storage/home/examine-home.ts";

interface Open {
  path: string;
  mode: number;
  wanted: number;
  /** Another user's: we cannot close it. */
  isForeign: boolean;
}

const mostShown = 5;

/**
 * Whether anybody but the owner can read the home. The workdir is not checked. The cache holds compiled code that
 * Node writes with its own modes; a closed home protects it, and nothing in it is private.
 */
export function checkPermissions(examined: ExaminedHome): Check {
  const { home, say } = examined;
  const find = async () => {
    if (process.platform === "win32") return [];
    // Something else in the place of the home is not ours to close.
    if (!(await lstat(home.root).catch(() => undefined))?.isDirectory()) return [];
    const workdir = await examined.workdir();
    const own = [join(home.root, "workspace"), join(home.root, "cache"), home.secretKeyFile];
    return findOpen(home.root, new Set([workdir, ...own]));
  };
  return {
    id: "permissions",
    title: say("doctor.permissions"),
    fixNeedsNoStop: true,
    async check() {
      const open = await find();
      if (open.length === 0) return [{ level: "ok", message: say("doctor.permissions.ok") }];
      const findings = open.slice(0, mostShown).map(({ path, mode, wanted, isForeign }): Finding => {
        const modes = { path, mode: octal(mode), wanted: octal(wanted) };
        return isForeign
          ? {
              level: "problem",
              message: say("doctor.permissions.foreign", modes),
              next: say("doctor.permissions.own"),
            }
          : {
              level: "problem",
              message: say("doctor.permissions.open", modes),
              ...byRepair(say),
            };
      });
      const more = open.length - findings.length;
      if (more > 0) {
        const message = say("doctor.permissions.more", { count: more });
        findings.push({ level: "problem", message, ...byRepair(say) });
      }
      return findings;
    },
    async fix() {
      const closed = (await find()).filter(({ isForeign }) => !isForeign);
      for (const { path, wanted } of closed) await chmod(path, wanted);
      return closed.length > 0 ? [say("doctor.permissions.closed", { count: closed.length })] : [];
    },
  };
}

/** By name only, never through a descriptor. Links are neither followed nor changed. */
async function findOpen(root: string, except: ReadonlySet<string>): Promise<Open[]> {
  const found: Open[] = [];
  const visit = async (path: string): Promise<void> => {
    if (except.has(path)) return;
    const status = await lstat(path).catch(() => undefined);
    if (!status || !(status.isDirectory() || status.isFile())) return;
    const mode = status.mode & 0o777;
    const isForeign =
      process.getuid !== undefined && process.getuid() !== 0 && status.uid !== process.getuid();
    if ((mode & 0o077) !== 0) {
      found.push({ path, mode, wanted: status.isDirectory() ? 0o700 : 0o600, isForeign });
    }
    if (!status.isDirectory()) return;
    const names = await readdir(path).catch(() => []);
    for (const name of names.sort()) await visit(join(path, name));
  };
  await visit(root);
  return found;
}

const octal = (mode: number) => mode.toString(8).padStart(4, "0");
