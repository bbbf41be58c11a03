/** Chooses the shell for a command, and its PATH. */
import { execFile } from "node:child_process";
import { access, constants, realpath } from "node:fs/promises";
import { userInfo } from "node:os";
import { basename, delimiter, isAbsolute, join, relative, sep } from "node:path";

export interface Shells {
  /** The usable ones, best first: configured, login shell, the system's. */
  inOrder(configured: string | undefined): Promise<string[]>;
  /**
   * PATH of a login shell, determined once. A login shell runs files of the home directory outside any wall: if one
   * of these workdirs contains them, a program could have written them. Then it is Pincer's own PATH.
   */
  path(workdirs: readonly string[]): Promise<string>;
}

export interface ShellParts {
  environment: Readonly<Record<string, string | undefined>>;
  /** From the system's user list; undefined if it has no entry. */
  loginShell?(): string | undefined;
  /** What a login shell prints for a command. Rejects if it fails or takes too long. */
  ask?(shell: string, command: string): Promise<string>;
}

export function createShells({
  environment,
  loginShell = shellOfUser,
  ask = askShell(environment),
}: ShellParts): Shells {
  let known: Promise<string> | undefined;
  const inherited = absoluteOnly(environment["PATH"] ?? "") || usualPath;

  async function inOrder(configured: string | undefined): Promise<string[]> {
    const login = loginShell() ?? environment["SHELL"];
    const wanted = [configured, login && isPosix(login) ? login : undefined, "/bin/bash", "/bin/sh"];
    const there: string[] = [];
    for (const shell of new Set(wanted))
      if (shell !== undefined && isAbsolute(shell) && (await isExecutable(shell))) there.push(shell);
    return there;
  }

  async function askPath(): Promise<string> {
    const [shell] = await inOrder(undefined);
    const printed = shell ? await ask(shell, `printf '\\n${sign}%s\\n' "$PATH"`).catch(() => "") : "";
    // The files of a login shell may print other things.
    const line = printed.split("\n").findLast((each) => each.startsWith(sign));
    return absoluteOnly(line?.slice(sign.length) ?? "") || inherited;
  }

  return {
    inOrder,
    async path(workdirs) {
      if (await areFilesWithin(environment["HOME"], workdirs)) return inherited;
      return (known ??= askPath());
    },
  };
}

/** Whether a workdir contains files that a login shell runs, links followed. Without a home there are none. */
async function areFilesWithin(home: string | undefined, workdirs: readonly string[]): Promise<boolean> {
  if (!home) return false;
  const files = await Promise.all([home, ...loginFiles.map((name) => join(home, name))].map(realOf));
  const places = await Promise.all(workdirs.map(realOf));
  return places.some((place) => files.some((file) => isWithin(file, place)));
}

const loginFiles = ".profile .bash_profile .bash_login .bashrc .zshenv .zprofile .zshrc .zlogin .kshrc".split(
  " ",
);

/** A missing path counts as it is written. */
const realOf = (path: string): Promise<string> => realpath(path).catch(() => path);

function isWithin(path: string, directory: string): boolean {
  const way = relative(directory, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

const sign = "PATH-OF-LOGIN-SHELL=";
const usualPath = "/usr/local/bin:/usr/bin:/bin";
const longest = 5000;

/** A relative directory in PATH would let a workdir define what `ls` is. */
const absoluteOnly = (path: string): string =>
  path
    .split(delimiter)
    .filter((directory) => isAbsolute(directory))
    .join(delimiter);

const isPosix = (shell: string): boolean =>
  ["bash", "zsh", "dash", "ksh", "ash", "sh"].includes(basename(shell));

const isExecutable = (path: string): Promise<boolean> =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  );

function shellOfUser(): string | undefined {
  try {
    return userInfo().shell ?? undefined;
  } catch {
    // A user without an entry, as in some containers.
    return undefined;
  }
}

/** Only the basic environment of a login shell: none of the gateway's keys. */
const askShell =
  (environment: ShellParts["environment"]) =>
  (shell: string, command: string): Promise<string> => {
    const names = ["HOME", "USER", "LOGNAME", "PATH", "LANG"];
    const env = Object.fromEntries(
      names.flatMap((name) => (environment[name] ? [[name, environment[name]]] : [])),
    );
    return new Promise((resolve, reject) => {
      const options = { env, timeout: longest, killSignal: "SIGKILL" as const, maxBuffer: 1_000_000 };
      const child = execFile(shell, ["-lc", command], options, (error, printed) =>
        error ? reject(error) : resolve(printed),
      );
      child.stdin?.end();
    });
  };
