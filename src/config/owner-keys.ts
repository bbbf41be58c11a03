/**
 * Keys by which somebody would become or speak as an owner, the gateway would run what they please, or secrets would go elsewhere: a caller who may
 * change the rest of the config may not change these. They are compared as the file has them, in the newest spelling and in every profile,
 * whether or not the rest of it is in order.
 */
import { isDeepStrictEqual } from "node:util";
import { formatPath, isTable, readPath, type ConfigPath } from "@pincer/sdk";
import { migrateConfig } from "./migrations.ts";
import { parseConfig } from "./parse-config.ts";

const ownersKeys: ConfigPath[] = [
  ["owners"],
  ["gateway", "auth"],
  ["gateway", "trustedProxies"],
  // Whose pages speak with the session of the owner's browser.
  ["gateway", "allowedHosts"],
  ["gateway", "allowedOrigins"],
  ["plugins"],
  // What is outside of the sandbox can read the key of the home.
  ["tools", "exec"],
  // Who else has the hands that are the owner's alone.
  ["tools", "visibility"],
  // Their templates are the owner's words.
  ["hooks"],
  // The person who gets notices counts as the owner.
  ["notify"],
  // How long it is known who did what.
  ["audit"],
];

/** Wherever they stand: addresses that a secret is sent to, and what files the tools reach. */
const ownersNames: ReadonlySet<string> = new Set([
  "apiRoot",
  "baseUrl",
  "endpoint",
  "workspace",
  "restrictToWorkspace",
]);

/**
 * What others may change of an account on a channel: who may write there, how answers look, and which account it is. Everything else is what its
 * connector reads, and by that it is told who wrote: the server, the secret that signs, the address that is listened on.
 */
const sharedChannelKeys: ReadonlySet<string> = new Set([
  "enabled",
  "dmPolicy",
  "allowFrom",
  "groupAllowFrom",
  "groupPolicy",
  "groups",
  "requireMention",
  "uncertain",
  "streaming",
  "workingReaction",
  "dmHistoryLimit",
  "dms",
  "botToken",
  "appToken",
  "token",
  "accessToken",
]);

/** Where an agent works that nobody chose a place for. */
export const usualWorkspace = (agentId: string): string => `~/.pincer/workspace-${agentId}`;

/** The first of them that differs between the texts (undefined: no file); undefined where none does. Pure. */
export function changedOwnersKey(before: string | undefined, after: string | undefined): string | undefined {
  const was = valueOf(before);
  const is = valueOf(after);
  const profiles = new Set([...profilesOf(was), ...profilesOf(is)]);
  const places = [[], ...Array.from(profiles, (name) => ["profiles", name])];
  const paths = places.flatMap((place) => ownersKeys.map((key) => [...place, ...key]));
  const changed = paths.find((path) => !isDeepStrictEqual(readPath(was, path), readPath(is, path)));
  if (changed) return formatPath(changed);
  const known = new Set([...namedIn(was)].map(({ path, value }) => JSON.stringify([path, value])));
  const named = [...namedIn(is)].find(({ path, value }) => !known.has(JSON.stringify([path, value])));
  return named && formatPath(named.path);
}

/** Those of a list that have an id go by it: taking one out of the list changes nothing about the others. */
function* namedIn(value: unknown, path: ConfigPath = []): Generator<{ path: ConfigPath; value: unknown }> {
  if (Array.isArray(value)) {
    for (const [index, each] of value.entries()) yield* namedIn(each, [...path, idOf(each) ?? index]);
  } else if (isTable(value)) {
    for (const [name, each] of Object.entries(value)) {
      if (!isUsual(name, each, path) && isOwners(name, path)) yield { path: [...path, name], value: each };
      yield* namedIn(each, [...path, name]);
    }
  }
}

const idOf = (value: unknown): string | undefined =>
  isTable(value) && typeof value["id"] === "string" ? value["id"] : undefined;

const isOwners = (name: string, path: ConfigPath): boolean =>
  ownersNames.has(name) || (isAccount(path) && name !== "accounts" && !sharedChannelKeys.has(name));

/** Whether a key of an account on a channel is one of them. Pure. */
export const isOwnersChannelKey = (name: string): boolean => isOwners(name, ["channels", "any"]);

/** `channels.<channel>`, and `accounts.<name>` below it, in any profile. */
function isAccount(path: ConfigPath): boolean {
  const place = path[0] === "profiles" ? path.slice(2) : path;
  const isNamed = place.length === 4 && place[2] === "accounts";
  return place[0] === "channels" && (place.length === 2 || isNamed);
}

const isUsual = (name: string, value: unknown, path: ConfigPath): boolean =>
  name === "workspace" && value === usualWorkspace(String(path.at(-1)));

function valueOf(text: string | undefined): unknown {
  const parsed = parseConfig(text ?? "{}");
  return parsed.type === "parsed" ? migrateConfig(parsed.value).value : {};
}

function profilesOf(value: unknown): string[] {
  const profiles = readPath(value, ["profiles"]);
  return isTable(profiles) ? Object.keys(profiles) : [];
}
