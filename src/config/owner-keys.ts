/**
 * Finds what only the owner may change: every key but those of `adminKeys`. The file is compared as it is written, in
 * the newest spelling and in every profile, whether or not the rest of it is in order.
 */
import { isDeepStrictEqual } from "node:util";
import { formatPath, isTable, type ConfigPath } from "@pincer/sdk";
import { adminKeys } from "./admin-keys.ts";
import { migrateConfig } from "./migrations.ts";
import { parseConfig } from "./parse-config.ts";

/** Where an agent works that nobody chose a place for. */
export const usualWorkspace = (agentId: string): string => `~/.pincer/workspace-${agentId}`;

/** The first key of the owner's that differs between the texts (undefined: no file); undefined where none does. Pure. */
export function changedOwnersKey(before: string | undefined, after: string | undefined): string | undefined {
  const was = leavesOf(valueOf(before));
  const is = leavesOf(valueOf(after));
  const gone = [...was].filter(([key]) => !is.has(key)).map(([, leaf]) => leaf);
  const changed = [...is].filter(([key, { value }]) => !isDeepStrictEqual(was.get(key)?.value, value));
  const found = [
    ...changed.map(([, leaf]) => leaf).filter(({ path, value }) => !isFree(path, value)),
    ...gone.filter(({ path }) => !isGoneWithItsTable(path, is) && !isFree(path, undefined)),
  ][0];
  return found && formatPath(found.path);
}

/** Whether a key of an account on a channel is one of them. Pure. */
export const isOwnersChannelKey = (name: string): boolean => !adminKeys.has(`channels.*.${name}`);

interface Leaf {
  path: ConfigPath;
  value: unknown;
}

/** What is no table and no list of tables, by its path. Those of a list that have an id go by it, wherever they stand. */
function leavesOf(root: unknown): Map<string, Leaf> {
  const leaves = new Map<string, Leaf>();
  const walk = (value: unknown, path: ConfigPath): void => {
    if (Array.isArray(value) && value.length > 0 && value.every(isTable)) {
      for (const [index, each] of value.entries()) walk(each, [...path, idOf(each) ?? index]);
    } else if (isTable(value)) {
      for (const [name, each] of Object.entries(value)) walk(each, [...path, name]);
    } else leaves.set(JSON.stringify(path), { path, value });
  };
  walk(root, []);
  return leaves;
}

const idOf = (value: Record<string, unknown>): string | undefined =>
  typeof value["id"] === "string" ? value["id"] : undefined;

/** Whether an admin may set it to that. */
function isFree(path: ConfigPath, value: unknown): boolean {
  const place = path[0] === "profiles" ? path.slice(2) : path;
  if (adminKeys.has(patternOf(place))) return true;
  const [section, list, id, name] = place;
  const isPlaceOfAgent = section === "agents" && list === "list" && name === "workspace";
  return isPlaceOfAgent && value === usualWorkspace(String(id));
}

/** `channels.*.accounts.*.token` of any such path: names of the user's own, and places in lists, are `*`. */
function patternOf(path: ConfigPath): string {
  const steps: string[] = [];
  for (const step of path) {
    const place = steps.join(".");
    steps.push(holdsNames.has(place) ? "*" : String(step));
  }
  return steps.join(".");
}

/** Below these stand names, and places in lists. */
const holdsNames: ReadonlySet<string> = new Set(
  [...adminKeys].flatMap((key) => {
    const steps = key.split(".");
    return steps.flatMap((step, index) => (step === "*" ? [steps.slice(0, index).join(".")] : []));
  }),
);

/**
 * A channel, an account of one, or an agent may go as a whole, with what the owner set there. An agent whose tools the
 * owner limited stays: those whom it answers would come to another one.
 */
function isGoneWithItsTable(path: ConfigPath, is: ReadonlyMap<string, Leaf>): boolean {
  const isThere = (prefix: ConfigPath) =>
    [...is.values()].some(({ path: other }) => prefix.every((step, index) => other[index] === step));
  const start = path[0] === "profiles" ? 2 : 0;
  const [section, second, third, fourth] = path.slice(start);
  if (section === "agents" && second === "list")
    return fourth !== "tools" && !isThere(path.slice(0, start + 3));
  if (section !== "channels") return false;
  return !isThere(path.slice(0, start + 2)) || (third === "accounts" && !isThere(path.slice(0, start + 4)));
}

function valueOf(text: string | undefined): unknown {
  const parsed = parseConfig(text ?? "{}");
  return parsed.type === "parsed" ? migrateConfig(parsed.value).value : {};
}
