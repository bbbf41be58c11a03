/**
 * Sets and unsets keys on somebody's behalf: refused before anything is written when a value does not fit, literal
 * secrets moved to the secrets store, the change recorded. Works beside faults elsewhere in the file, so that a
 * broken config can be mended with the same command.
 */
import { readFile } from "node:fs/promises";
import { PincerError } from "@pincer/sdk";
import type { Clock } from "../infra/clock.ts";
import { changeConfig } from "./change-config.ts";
import { checkConfig, describeShape, nearestName, shapeAt } from "./check-config.ts";
import type { ChangeAuthor, ConfigChange } from "./config-history.ts";
import { formatPath, isTable, readPath, type ConfigPath } from "./config-path.ts";
import { parseOrRefuse, putSource, setInText, sourceAt, unsetInText } from "./edit-config.ts";
import { evaluateConfig } from "./evaluate-config.ts";
import type { Home } from "./home.ts";
import { migrateConfig } from "./migrations.ts";
import { respellAgentIds } from "./respell-agent-ids.ts";
import { configShape } from "./schema.ts";
import { isHandle } from "./secret-keys.ts";
import {
  storeLiterals,
  withHandles,
  type LiteralStore,
  type Setting,
  type StoredLiteral,
} from "./store-literals.ts";

export interface ConfigEditor extends LiteralStore {
  home: Pick<Home, "root" | "configFile" | "lastGoodFile" | "configHistoryDir">;
  clock: Clock;
  author: ChangeAuthor;
}

export interface SetResult {
  /** undefined when nothing had to change. */
  change: ConfigChange | undefined;
  /** Literal secrets that went to the store; the config has `secret:<name>` instead. */
  stored: StoredLiteral[];
}

/** Throws config/bad-value, config/not-found (unknown key, unless allowed), config/unparsable; nothing has changed then. */
export async function setConfig(
  { home, secrets, clock, author }: ConfigEditor,
  given: Setting[],
  unknownKeys: "refuse" | "allow" = "refuse",
): Promise<SetResult> {
  const wanted = given.map(({ path, value }) => ({
    path,
    value: respellAgentIds(shapeAt(configShape, path) ?? {}, value).value,
  }));
  for (const setting of wanted) assertFits(setting, unknownKeys);
  // Refusals come before the first secret is stored.
  editWith(withHandles(wanted))(await readFile(home.configFile, "utf8").catch(() => undefined));
  const { settings, stored, takeBack } = await storeLiterals({ home, secrets }, wanted);
  try {
    const summary = `set ${settings.map(({ path }) => formatPath(path)).join(", ")}`;
    const change = await changeConfig({ home, clock, author, summary, edit: editWith(settings) });
    return { change, stored };
  } catch (error) {
    // What went wrong first is what the user has to hear of.
    await takeBack().catch(() => undefined);
    throw error;
  }
}

const editWith = (settings: Setting[]) => (text: string | undefined) => {
  const after = settings.reduce<string | undefined>(
    (before, { path, value }) => setInText(before, path, value),
    text,
  );
  assertNoNewFault(text, after ?? "{}");
  return after ?? "";
};

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
export async function writeMigration({
  home,
  clock,
}: Pick<ConfigEditor, "home" | "clock">): Promise<ConfigChange | undefined> {
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
  for (const { path, id } of respellAgentIds(configShape, parseOrRefuse(migrated).value).changes)
    migrated = setInText(migrated, path, id);
  const version = readPath(value, ["configVersion"]);
  return version === undefined ? migrated : setInText(migrated, ["configVersion"], version);
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
