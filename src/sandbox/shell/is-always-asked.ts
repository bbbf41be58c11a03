/**
 * Programs that are never safe by their names: each runs others, or reads and writes whatever it is told to in a language of its own, so that
 * neither its name nor paths among its words say what it will do. Short on purpose, and told in docs/guides/programs.md.
 */
import { programName } from "./wrappers.ts";

/** By its name, with or without a number of its version: `python3.12` is `python`. */
export function isAlwaysAsked(program: string): boolean {
  const name = programName(program);
  return alwaysAsked.has(name) || alwaysAsked.has(name.replace(/[-\d.]+$/, ""));
}

const languages =
  "awk gawk mawk nawk sed ed perl python pypy ruby php lua node deno bun tclsh expect gdb dc m4 sqlite";
const runners =
  "find fd xargs parallel env sudo doas su ssh scp sftp rsync git hg svn tar bsdtar zip cpio docker podman";
const screens = "vi vim nvim view ex emacs nano less more most man info";
/** Parts of the shell: what they set decides what later words mean. */
const ofTheShell =
  "cd pushd popd chdir export declare typeset local readonly unset alias set shopt eval source . exec trap hash enable read let mapfile readarray getopts bind complete";

const alwaysAsked: ReadonlySet<string> = new Set(
  [languages, runners, screens, ofTheShell].flatMap((names) => names.split(" ")),
);
