/** What the kernel was handed, as strace wrote it down with every text in hexadecimal digits and the directory of each process beside its calls. */

export interface SeenStart {
  argv: string[];
  environment: Record<string, string>;
  /** Where the process was when it opened its first file; "" where it opened none. */
  cwd: string;
}

/** Each process that went to a directory and became a program there, by the last that it became: a wrapper that hands on is not counted. */
export function readStarts(log: string): SeenStart[] {
  const entered = new Set<string>();
  const starts = new Map<string, SeenStart>();
  for (const { pid, call } of wholeCalls(log)) {
    if (/^chdir\("[^"]*"\)\s+= 0/.test(call)) entered.add(pid);
    const known = starts.get(pid);
    // The number of a descriptor would not tell: a process that was just forked has a table of its own.
    const [, place] = /^openat\(AT_FDCWD<([^>]*)>/.exec(call) ?? [];
    if (known && known.cwd === "" && place !== undefined) known.cwd = decode(place);
    const became = /^execve\("[^"]*", \[([^\]]*)\], \[([^\]]*)\]\)\s+= 0/.exec(call);
    if (!became || !entered.has(pid)) continue;
    if (known && known.argv[0] !== "/usr/bin/env") continue;
    starts.set(pid, {
      argv: textsIn(became[1] ?? ""),
      environment: Object.fromEntries(textsIn(became[2] ?? "").map(asVariable)),
      cwd: "",
    });
  }
  return [...starts.values()];
}

/** A call during which another process spoke is written in two parts. */
function* wholeCalls(log: string): Generator<{ pid: string; call: string }> {
  const begun = new Map<string, string>();
  for (const line of log.split("\n")) {
    const [, pid = "", said = ""] = /^(\d+)\s+(.*)$/.exec(line) ?? [];
    const [, beginning] = /^(.*) <unfinished \.\.\.>$/.exec(said) ?? [];
    const [, rest] = /^<\.\.\. \w+ resumed>(.*)$/.exec(said) ?? [];
    if (beginning !== undefined) begun.set(pid, beginning);
    else yield { pid, call: rest === undefined ? said : `${begun.get(pid) ?? ""}${rest}` };
  }
}

const textsIn = (list: string): string[] =>
  [...list.matchAll(/"([^"]*)"/g)].map(([, text = ""]) => decode(text));

const decode = (text: string): string => Buffer.from(text.replaceAll("\\x", ""), "hex").toString("utf8");

function asVariable(text: string): [string, string] {
  const sign = text.indexOf("=");
  return [text.slice(0, sign), text.slice(sign + 1)];
}
