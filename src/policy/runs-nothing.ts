/**
 * What on the list of `runs-by-itself.ts` is left alone when a program makes it anew, because nothing in it is run:
 * `git init` and `git clone` make a config and samples of hooks, and `git worktree` a file that leads to its
 * repository.
 */
import { asRead } from "./path-names.ts";

/** Whether a new file on the list runs nothing, by its name and content. Pure. */
export function runsNothing(path: string, text: string): boolean {
  const names = path.split("/").map(asRead);
  const name = names.at(-1) ?? "";
  if (!names.includes(".git")) return false;
  if (names.at(-2) === "hooks") return name.endsWith(".sample");
  if (name === ".git")
    return /^gitdir: (?!.*\/\.\.\/)[^\n]*\/\.git\/(?:worktrees|modules)\/[^\n]+\n?$/.test(text);
  return name === "config" && isPlainGitConfig(text);
}

/** Whether each line is understood, and sets nothing but addresses, branches and a few plain switches. Pure. */
export function isPlainGitConfig(text: string): boolean {
  let section: string | undefined;
  for (const line of text.split("\n")) {
    if (/^\s*(?:[#;].*)?$/.test(line)) continue;
    const [, name, sub] = /^\s*\[([a-z][a-z0-9-]*)(?:\s+"([^"\\]*)")?\]\s*$/i.exec(line) ?? [];
    if (name !== undefined) {
      section = sub === undefined ? name.toLowerCase() : `${name.toLowerCase()}.*`;
      continue;
    }
    const [, key, value = ""] = /^\s*([a-z][a-z0-9-]*)\s*(?:=\s*([^\\"#;]*))?$/i.exec(line) ?? [];
    if (key === undefined || section === undefined) return false;
    const allowed = plainKeys[`${section}.${key.toLowerCase()}`];
    if (allowed === undefined || !allowed.test(value.trim())) return false;
  }
  return true;
}

const word = /^[\w.+:/*@=-]*$/;
/** Nothing that git hands to a helper (`ext::…`), or that a program would read as an option. */
const address = /^(?:(?:https?|ssh|git):\/\/[\w[][^\s]*|[\w.][\w.-]*@[\w.-]+:[^\s:-][^\s]*|\.{0,2}\/[^\s]*)$/;

const plainKeys: Readonly<Record<string, RegExp>> = {
  "core.repositoryformatversion": word,
  "core.filemode": word,
  "core.bare": word,
  "core.logallrefupdates": word,
  "core.ignorecase": word,
  "core.precomposeunicode": word,
  "core.symlinks": word,
  "extensions.objectformat": word,
  "extensions.partialclone": word,
  "remote.*.url": address,
  "remote.*.fetch": word,
  "remote.*.tagopt": /^--(?:no-)?tags$/,
  "remote.*.promisor": word,
  "remote.*.partialclonefilter": word,
  "branch.*.remote": word,
  "branch.*.merge": word,
  "branch.*.rebase": /^(?:true|false)$/,
  "submodule.*.active": word,
  "submodule.*.url": address,
  "user.name": /^[^\n]*$/,
  "user.email": /^[^\n]*$/,
};
