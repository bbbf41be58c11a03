/**
 * The programs from the system's packages that tests use. On Debian as root what is missing is installed;
 * elsewhere the one command to run is printed. Tests that need a missing program are counted as skipped, by name.
 */
import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Program → Debian package, and what it is for. */
export const systemPrograms = {
  bwrap: { package: "bubblewrap", use: "trying to break out of the sandbox" },
  chromium: { package: "chromium", use: "opening a hostile page beside a running gateway" },
  ngircd: { package: "ngircd", use: "talking on a real IRC server" },
  strace: { package: "strace", use: "watching that what was acknowledged had been synced" },
  tmux: { package: "tmux", use: "typing at the interactive prompt as a person would" },
} as const;

export type SystemProgram = keyof typeof systemPrograms;

export function hasProgram(name: SystemProgram): boolean {
  return (process.env["PATH"] ?? "")
    .split(delimiter)
    .some((directory) => isExecutable(join(directory, name)));
}

/** Installs what it may and answers what is still missing. */
export function ensureSystemPrograms(): SystemProgram[] {
  const missing = () => (Object.keys(systemPrograms) as SystemProgram[]).filter((name) => !hasProgram(name));
  const wanted = missing().map((name) => systemPrograms[name].package);
  if (wanted.length === 0) return [];
  const mayInstall = existsSync("/etc/debian_version") && process.getuid?.() === 0;
  if (mayInstall) {
    const environment = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    // Another one that is at work is waited for.
    const apt = (...args: string[]) =>
      spawnSync("apt-get", ["-o", "DPkg::Lock::Timeout=120", ...args], { stdio: "ignore", env: environment });
    const install = () => apt("install", "-y", "--no-install-recommends", ...wanted);
    if (install().status !== 0) {
      apt("update");
      install();
    }
  }
  return missing();
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    // Not there, or not ours to run: both mean that it cannot be used.
    return false;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const missing = ensureSystemPrograms();
  for (const name of missing) {
    process.stderr.write(
      `not installed: ${name}, needed for ${systemPrograms[name].use}; its tests are skipped\n`,
    );
  }
  if (missing.length > 0) {
    const packages = missing.map((name) => systemPrograms[name].package).join(" ");
    process.stderr.write(`to run them too: sudo apt-get install ${packages}\n`);
  }
}
