/** A copy of the repository's sources, to be changed and thrown away. */
import { cp, mkdir, mkdtemp, readdir, readlink, realpath, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";

export interface RepositoryCopy {
  root: string;
  /** Safe to call twice. */
  remove(): Promise<void>;
}

const notCopied = new Set([".git", "node_modules", "dist", ".cache", "coverage", "results"]);

/** The caller removes it. Installed packages are shared; the repository's own ones are those of the copy. */
export async function copyRepository(root: string): Promise<RepositoryCopy> {
  const copy = await realpath(await mkdtemp(join(tmpdir(), "mutants-")));
  const remove = () => rm(copy, { recursive: true, force: true });
  try {
    for (const name of await readdir(root)) {
      if (notCopied.has(name)) continue;
      await cp(join(root, name), join(copy, name), {
        recursive: true,
        filter: (path) => !notCopied.has(path.split(/[/\\]/).at(-1) ?? ""),
      });
    }
    await linkPackages(join(root, "node_modules"), join(copy, "node_modules"));
    return { root: copy, remove };
  } catch (error) {
    await remove();
    throw error;
  }

  async function linkPackages(from: string, to: string): Promise<void> {
    await mkdir(to);
    for (const entry of await readdir(from, { withFileTypes: true })) {
      // The caches of tools stay each to its own.
      if (entry.name.startsWith(".") && entry.name !== ".bin") continue;
      const source = join(from, entry.name);
      if (entry.isDirectory() && entry.name.startsWith("@")) await linkPackages(source, join(to, entry.name));
      else await symlink(entry.isSymbolicLink() ? await targetOf(source) : source, join(to, entry.name));
    }
  }

  /** A workspace's package is linked within the repository: here it must lead into the copy. */
  async function targetOf(link: string): Promise<string> {
    const target = resolve(link, "..", await readlink(link));
    const inside = relative(root, target);
    return inside.startsWith("..") ? target : join(copy, inside);
  }
}
