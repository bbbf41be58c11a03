/** Paths as people write them: `channels.telegram.dms["a.b"].historyLimit`, `agents.list[0].id`. */
import { parsePath as parse, type ConfigPath } from "@pincer/sdk";
import { failure } from "../infra/failure.ts";

/** Throws PincerError usage/bad-argument for what is no path, and for names that JavaScript treats specially. */
export function parsePath(text: string): ConfigPath {
  const path = parse(text);
  if (path) return path;
  throw failure("usage/bad-argument", "config.bad-path", { text }, { hint: "config.bad-path.hint" });
}
