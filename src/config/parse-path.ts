/** Paths as people write them: `channels.telegram.dms["a.b"].historyLimit`, `agents.list[0].id`. */
import { failure } from "../infra/failure.ts";
import type { ConfigPath } from "./config-path.ts";

/** Throws PincerError usage/bad-argument for what is no path, and for names that JavaScript treats specially. */
export function parsePath(text: string): ConfigPath {
  const path: Array<string | number> = [];
  const segment = /\[(\d{1,9})\]|\[("(?:[^"\\]|\\.)*")\]|\['([^']*)'\]|(\.?)([^.[\]"']+)/gy;
  while (segment.lastIndex < text.length) {
    const at = segment.lastIndex;
    const found = segment.exec(text);
    if (!found) throw badPath(text);
    const [, index, doubleQuoted, singleQuoted, dot, plain] = found;
    if (index !== undefined) path.push(Number(index));
    else if (doubleQuoted !== undefined) path.push(unquote(doubleQuoted, text));
    else if (singleQuoted !== undefined) path.push(singleQuoted);
    else if (plain !== undefined && (dot === ".") === at > 0) path.push(plain);
    else throw badPath(text);
  }
  if (path.length === 0 || path.includes("__proto__")) throw badPath(text);
  return path;
}

function unquote(quoted: string, whole: string): string {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    throw badPath(whole);
  }
}

const badPath = (text: string) =>
  failure("usage/bad-argument", "config.bad-path", { text }, { hint: "config.bad-path.hint" });
