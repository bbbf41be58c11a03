/** A workdir with a forbidden area outside, created anew for each trick. */
import { execFileSync } from "node:child_process";
import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface PathStage {
  base: string;
  work: string;
  link(target: string, at: string): void;
  hardLink(target: string, at: string): void;
  directory(at: string): void;
  file(at: string, text: string): void;
  pipe(at: string): void;
  /** All that lies outside, as one text. */
  outside(): string;
  remove(): void;
}

/** Stands in every file that must not be read. */
export const canary = "CANARY";

export function createPathStage(): PathStage {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "pincer-path-")));
  const work = join(base, "work");
  const at = (path: string) => join(work, path);
  for (const path of ["work/sub/deep", "work-other", "theirs/sub", "home"])
    mkdirSync(join(base, path), { recursive: true });
  for (const path of [
    "outside.txt",
    "work-other/x.txt",
    "theirs/sub/inner.txt",
    "theirs/hello.txt",
    "home/secret.key",
  ])
    writeFileSync(join(base, path), `${canary} old\n`);
  for (const path of ["hello.txt", "sub/inner.txt", "sub/deep/x.txt"]) writeFileSync(at(path), "old\n");

  return {
    base,
    work,
    link: (target, path) => symlinkSync(target, at(path)),
    hardLink: (target, path) => linkSync(target, at(path)),
    directory: (path) => void mkdirSync(at(path), { recursive: true }),
    file: (path, text) => writeFileSync(at(path), text),
    pipe: (path) => void execFileSync("mkfifo", [at(path)]),
    outside() {
      const seen: string[] = [];
      const look = (directory: string) => {
        for (const name of readdirSync(directory).sort()) {
          const path = join(directory, name);
          if (path === work) continue;
          const stat = statSync(path, { bigint: true });
          seen.push(`${path} ${stat.mode} ${stat.mtimeNs}`);
          if (stat.isDirectory()) look(path);
          else seen.push(readFileSync(path, "utf8"));
        }
      };
      look(base);
      return seen.join("\n");
    },
    remove: () => rmSync(base, { recursive: true }),
  };
}
