/**
 * Sets and unsets keys on somebody's behalf: refused before anything is written when a value does not fit, literal
 * secrets moved to the secrets store, the change recorded. Works beside faults elsewhere in the file, so that a
 * broken config can be mended with the same command.
 */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { PincerError } from "@pincer/sdk";
import type { Clock } from "../infra/clock.ts";
import { changeConfig } from "./change-config.ts";
import { checkConfig, describeShape, nearestName, shapeAt } from "./check-config.ts";
import type { ChangeAuthor, ConfigChange } from "./config-history.ts";
import { formatPath, isTable, readPath, withPath, type ConfigPath } from "./config-path.ts";
import { parseOrRefuse, putSource, setInText, sourceAt, unsetInText } from "./edit-config.ts";
import { evaluateConfig } from "./evaluate-config.ts";
import type { Home } from "./home.ts";
import { migrateConfig } from "./migrations.ts";
import { configShape } from "./schema.ts";
import { findLiteralSecretsAt, isHandle } from "./secret-keys.ts";
import type { Secrets } from "./secrets.ts";

export interface Setting {
  path: ConfigPath;
  value: unknown;
}

export interface ConfigEditor {
  home: Pick<Home, "root" | "configFile" | "lastGoodFile" | "configHistoryDir">;
  secrets: Pick<Secrets, "set">;
  clock: Clock;
  author: ChangeAuthor;
}

export interface SetResult {
  /** undefined when nothing had to change. */
  change: ConfigChange | undefined;
  /** Literal secrets that went to the store; the config has `secret:<name>` instead. */
  stored: Array<{ path: string; name: string }>;
}

/** Throws config/bad-value, config/not-found (unknown key, unless allowed), config/unparsable; nothing has changed then. */
export async function setConfig(
  { home, secrets, clock, author }: ConfigEditor,
  settings: Setting[],
  unknownKeys: "refuse" | "allow" = "refuse",
): Promise<SetResult> {
  for (const setting of settings) assertFits(setting, unknownKeys);
  const stored: Array<{ path: string; name: string; value: string }> = [];
  const safe = settings.map(({ path, value }) => {
    let kept = value;
    for (const inner of findLiteralSecretsAt(configShape, path, value)) {
      const name = secretNameFor([...path, ...inner]);
      stored.push({ path: formatPath([...path, ...inner]), name, value: String(readPath(value, inner)) });
      kept = withPath(kept, inner, `secret:${name}`);
    }
    return { path, value: kept };
  });
  const edit = (text: string | undefined) => {
    const after = safe.reduce<string | undefined>(
      (before, { path, value }) => setInText(before, path, value),
      text,
    );
    assertNoNewFault(text, after ?? "{}");
    return after ?? "";
  };
  // Refusals come before the first secret is stored.
  edit(await readFile(home.configFile, "utf8").catch(() => undefined));
  for (const { name, value } of stored) await secrets.set(name, value);
  const summary = `set ${settings.map(({ path }) => formatPath(path)).join(", ")}`;
  const change = await changeConfig({ home, clock, author, summary, edit });
  return { change, stored: stored.map(({ path, name }) => ({ path, name })) };
}

/** undefined when the path was not set. Throws config/unparsable, or config/bad-value when what is left would not fit. */
export async function unsetConfig(
  { home, clock, author }: ConfigEditor,
  path: ConfigPath,
): Promise<ConfigChange | undefined> {
  const edit = (text: string | undefined) => {
    const after = text === undefined ? "" : unsetInText(text, path).text;
    if (text !== undefined) assertNoNewFault(text, after);
    return after;
  };
  const present = await readFile(home.configFile, "utf8").catch(() => undefined);
  if (present === undefined || !unsetInText(present, path).found) return undefined;
  return changeConfig({ home, clock, author, summary: `unset ${formatPath(path)}`, edit });
}

/** Writes the newest spellings. undefined when the file has them already. */
export async function writeMigration({ home, clock }: ConfigEditor): Promise<ConfigChange | undefined> {
  if ((await readFile(home.configFile, "utf8").catch(() => undefined)) === undefined) return undefined;
  const edit = (text: string | undefined) => migrateText(text ?? "{}");
  return changeConfig({ home, clock, author: "migration", summary: "newest spellings", edit });
}

/** The text with the newest spellings; comments and the manner of writing stay. Throws config/unparsable. */
export function migrateText(text: string): string {
  const { moves, value } = migrateConfig(parseOrRefuse(text).value);
  let migrated = text;
  for (const { from, to, moved } of moves) {
    if (moved) {
      const carried = readPath(parseOrRefuse(migrated).value, from);
      const source = sourceAt(migrated, from) ?? "";
      // A text that becomes part of a group at its own place (model: "p/m") has to make room first.
      const isOwnPlace = from.every((segment, index) => to[index] === segment);
      if (isOwnPlace) migrated = unsetInText(migrated, from).text;
      migrated = putSource(setInText(migrated, to, carried), to, source);
      if (isOwnPlace) continue;
    }
    migrated = unsetInText(migrated, from).text;
    const parent = from.slice(0, -1);
    const left = parent.length > 0 ? readPath(parseOrRefuse(migrated).value, parent) : undefined;
    if (moved && isTable(left) && Object.keys(left).length === 0)
      migrated = unsetInText(migrated, parent).text;
  }
  const version = readPath(value, ["configVersion"]);
  return version === undefined ? migrated : setInText(migrated, ["configVersion"], version);
}

/** A name for the secret of a key, the same each time. */
function secretNameFor(path: ConfigPath): string {
  const plain = path
    .join(".")
    .replaceAll(/[^A-Za-z0-9._-]/g, "-")
    .replace(/^[^A-Za-z0-9]+/, "");
  const isFaithful = plain === path.join(".") && plain.length <= 64;
  if (isFaithful) return plain;
  return `${plain.slice(0, 50) || "secret"}-${createHash("sha256").update(formatPath(path)).digest("hex").slice(0, 8)}`;
}

function assertFits({ path, value }: Setting, unknownKeys: "refuse" | "allow"): void {
  const name = formatPath(path);
  const shape = shapeAt(configShape, path);
  if (!shape) {
    if (unknownKeys === "allow") return;
    throw unknownKey(path);
  }
  // Whether a variable fits is seen when it is filled in.
  if (typeof value === "string" && isHandle(value) && value.startsWith("$")) return;
  for (const finding of checkConfig(shape, value, "partial").findings) {
    const where = formatPath([...path, ...finding.path]);
    if (finding.type === "bad-value")
      throw new PincerError("config/bad-value", `${where}: expected ${finding.expected}`, {
        hint: `${shape.description ?? name} (${describeShape(shape)})`,
      });
    if (unknownKeys === "refuse") throw unknownKey([...path, ...finding.path]);
  }
}

function unknownKey(path: ConfigPath): PincerError {
  const depth = path.findIndex((_, index) => !shapeAt(configShape, path.slice(0, index + 1)));
  const known = Object.keys(shapeAt(configShape, path.slice(0, depth))?.properties ?? {});
  const nearest = nearestName(String(path[depth]), known);
  const better = nearest && formatPath([...path.slice(0, depth), nearest, ...path.slice(depth + 1)]);
  return new PincerError("config/not-found", `Nobody knows the key ${formatPath(path)}`, {
    hint: better ? `Did you mean ${better}? --force writes it as it is.` : "--force writes it as it is.",
  });
}

/** Faults that were there before are no reason to refuse a change. */
function assertNoNewFault(before: string | undefined, after: string): void {
  const known = new Set(faults(before ?? "{}"));
  const fresh = faults(after).find((fault) => !known.has(fault));
  if (fresh !== undefined)
    throw new PincerError("config/bad-value", `The config would not fit any more: ${fresh}`, {
      hint: "`pincer config schema` describes every key.",
    });
}

const faults = (text: string): string[] =>
  evaluateConfig({ text, file: "", lastGood: undefined, environment: {}, profile: undefined, flags: {} })
    .problems.filter(({ severity }) => severity === "error")
    .map(({ key, message }) => `${key ?? ""}: ${message}`);
