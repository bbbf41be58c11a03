/** Which shell reads a command, and what it finds programs by. */
import { execFile } from "node:child_process";
import { access, constants, realpath } from "node:fs/promises";
import { userInfo } from "node:os";
import { basename, delimiter, isAbsolute, join, relative, sep } from "node:path";

export interface Shells {
  /** Those that can be run, the best first: the configured one, the login shell, then the system's. */
  inOrder(configured: string | undefined): Promise<string[]>;
  /**
   * PATH as a login shell has it, asked once. A login shell runs files of one's home, and it does so outside any wall: where one of these workdirs
   * holds them, whoever works there could have written them, so nobody is asked and it is Pincer's own PATH.
   */
  path(workdirs: readonly string[]): Promise<string>;
}

export interface ShellParts {
  environment: Readonly<Record<string, string | undefined>>;
  /** What the system's list of users says; undefined where it says nothing. */
  loginShell?(): string | undefined;
  /** What a login shell prints for a command. Rejects when it fails or takes too long. */
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
    // The files of a login shell may print things of their own.
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

/** Whether a workdir holds what a login shell runs from somebody's home, links followed. Without a home there is nothing to run. */
async function areFilesWithin(home: string | undefined, workdirs: readonly string[]): Promise<boolean> {
  if (!home) return false;
  const files = await Promise.all([home, ...loginFiles.map((name) => join(home, name))].map(realOf));
  const places = await Promise.all(workdirs.map(realOf));
  return places.some((place) => files.some((file) => isWithin(file, place)));
}

const loginFiles = ".profile .bash_profile .bash_login .bashrc .zshenv .zprofile .zshrc .zlogin .kshrc".split(
  " ",
);

/** One that is not there is where its name says. */
const realOf = (path: string): Promise<string> => realpath(path).catch(() => path);

function isWithin(path: string, directory: string): boolean {
  const way = relative(directory, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

const sign = "PATH-OF-LOGIN-SHELL=";
const usualPath = "/usr/local/bin:/usr/bin:/bin";
const longest = 5000;

/** A directory named from wherever one is would let a workdir say what `ls` is. */
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
    // A user without an entry in the list, as in some containers.
    return undefined;
  }
}

/** Only what a login shell starts from: no key of the gateway's own goes into it. */
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
