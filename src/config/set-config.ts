/**
 * Sets and unsets keys on somebody's behalf: refused before anything is written when a value does not fit, literal
 * secrets moved to the secrets store, the change recorded. Works beside faults elsewhere in the file, so that a
 * broken config can be mended with the same command.
 */
import { formatPath, isTable, readPath, type ConfigPath, type PincerError } from "@pincer/sdk";
import type { Clock } from "../infra/clock.ts";
import { failure } from "../infra/failure.ts";
import { changeConfig, type ChangeRequest } from "./change-config.ts";
import { checkConfig, describeShape, nearestName, nearestPath, shapeAt } from "./check-config.ts";
import type { ChangeAuthor, ConfigChange } from "./config-history.ts";
import { parseOrRefuse, putSource, setInText, sourceAt, unsetInText } from "./edit-config.ts";
import type { Environment } from "./environment-layer.ts";
import { evaluateConfig } from "./evaluate-config.ts";
import type { Home } from "./home.ts";
import { describeProblem, type Problem } from "./loaded-config.ts";
import { inBothLanguages } from "./in-both-languages.ts";
import { readKnownSecrets, type KnownSecrets } from "./known-secrets.ts";
import { migrateConfig } from "./migrations.ts";
import { readIfThere } from "./read-regular-file.ts";
import { takeOverShapes } from "./openclaw-shapes.ts";
import { respellAgentIds } from "./respell-agent-ids.ts";
import { configShape } from "./schema.ts";
import type { Shape } from "./schema/keys.ts";
import { isHandle, showableSegment } from "./secret-keys.ts";
import type { Secrets } from "./secrets.ts";
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
  /** Who asked for it, where it was asked of a gateway. */
  by?: string | undefined;
  environment?: Environment;
  /** Looks at the text before and after; may throw to refuse, and nothing is written then. */
  allows?: ChangeRequest["allows"];
}

export interface SetResult {
  /** undefined when nothing had to change. */
  change: ConfigChange | undefined;
  /** Literal secrets that went to the store; the config has `secret:<name>` instead. */
  stored: StoredLiteral[];
}

/** Throws config/bad-value (a stored secret in clear, too), config/not-found (unknown key, unless allowed), config/unparsable; nothing has changed then. */
export async function setConfig(
  { home, secrets, clock, author, by, environment, allows }: ConfigEditor,
  given: Setting[],
  unknownKeys: "refuse" | "allow" = "refuse",
): Promise<SetResult> {
  // Refusals come before the first secret is stored.
  const { wanted } = await examine({ home, secrets, allows }, given, unknownKeys);
  const { settings, stored, takeBack } = await storeLiterals({ home, secrets }, wanted);
  try {
    const summary = `set ${settings.map(({ path }) => formatPath(path)).join(", ")}`;
    const change = await changeConfig({
      home,
      clock,
      secrets,
      environment,
      author,
      by,
      summary,
      edit: editWith(settings),
      allows,
    });
    return { change, stored };
  } catch (error) {
    // What went wrong first is what the user has to hear of.
    await takeBack().catch(() => undefined);
    throw error;
  }
}

/** What setting them would make of the text. Throws as `setConfig` does; writes and stores nothing. */
export async function trySetConfig(
  editor: Pick<ConfigEditor, "home" | "secrets" | "allows">,
  given: Setting[],
  unknownKeys: "refuse" | "allow" = "refuse",
): Promise<TriedChange> {
  const { before, after } = await examine(editor, given, unknownKeys);
  return { before, after };
}

/** Texts of the file; `before` is undefined where there is none. */
export interface TriedChange {
  before: string | undefined;
  after: string;
}

async function examine(
  { home, secrets, allows }: Pick<ConfigEditor, "home" | "secrets" | "allows">,
  given: Setting[],
  unknownKeys: "refuse" | "allow",
): Promise<{ wanted: Setting[]; before: string | undefined; after: string }> {
  const wanted = given.map(({ path, value }) => ({
    path,
    value: respellAgentIds(shapeAt(configShape, path) ?? {}, value).value,
  }));
  for (const setting of wanted) assertFits(setting, unknownKeys);
  const known = await readKnownSecrets(secrets);
  for (const setting of withHandles(wanted)) assertHoldsNoSecret(setting, known);
  const before = await readIfThere(home.configFile).catch(() => undefined);
  const after = editWith(withHandles(wanted))(before);
  allows?.(before, after);
  return { wanted, before, after };
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
export async function unsetConfig(editor: ConfigEditor, path: ConfigPath): Promise<ConfigChange | undefined> {
  if ((await tryUnsetConfig(editor, path)) === undefined) return undefined;
  return editConfig(editor, `unset ${formatPath(path)}`, (text) =>
    text === undefined ? "" : unsetInText(text, path).text,
  );
}

/** What unsetting it would make of the text; undefined where the file does not have it. Throws as `unsetConfig` does; writes nothing. */
export async function tryUnsetConfig(
  { home, allows }: Pick<ConfigEditor, "home" | "allows">,
  path: ConfigPath,
): Promise<TriedChange | undefined> {
  const present = await readIfThere(home.configFile).catch(() => undefined);
  const { found, text } = present === undefined ? { found: false, text: "" } : unsetInText(present, path);
  if (present === undefined || !found) return undefined;
  assertNoNewFault(present, text);
  allows?.(present, text);
  return { before: present, after: text };
}

/** Applies an edit of the text that must bring no new fault. Undefined when nothing had to change. Throws config/bad-value, config/unparsable, and what the edit does. */
export async function editConfig(
  { home, secrets, clock, author, by, environment, allows }: ConfigEditor,
  summary: string,
  edit: (text: string | undefined) => string,
): Promise<ConfigChange | undefined> {
  return changeConfig({
    home,
    clock,
    secrets,
    environment,
    author,
    by,
    summary,
    allows,
    edit(text) {
      const after = edit(text);
      if (after !== text) assertNoNewFault(text, after);
      return after;
    },
  });
}

/** Writes the newest spellings. undefined when the file has them already. */
export async function writeMigration({
  home,
  clock,
  secrets,
  environment,
}: Pick<ConfigEditor, "home" | "clock" | "environment"> & {
  secrets?: Pick<Secrets, "values">;
}): Promise<ConfigChange | undefined> {
  if ((await readIfThere(home.configFile).catch(() => undefined)) === undefined) return undefined;
  const edit = (text: string | undefined) => migrateText(text ?? "{}");
  return changeConfig({
    home,
    clock,
    secrets,
    environment,
    author: "migration",
    summary: "newest spellings",
    edit,
  });
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
  for (const { path, value: ours, isSame } of takeOverShapes(parseOrRefuse(migrated).value).changes)
    if (isSame) migrated = setInText(migrated, path, ours);
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
  if (typeof value === "string" && (isHandle(value) ? value.startsWith("$") : /\$\{\w+\}/.test(value)))
    return;
  for (const finding of checkConfig(shape, value, "partial").findings) {
    const where = formatPath([...path, ...finding.path]);
    if (finding.type !== "bad-value" && unknownKeys === "allow") continue;
    if (finding.type !== "unknown-key") {
      const example = exampleOf(shape, value);
      throw failure(
        "config/bad-value",
        "config.bad-value",
        {
          key: where,
          path: name,
          example: example ?? "",
          description: shape.description ?? name,
          ...inBothLanguages("expected", finding.expected),
          ...inBothLanguages("shape", describeShape(shape)),
        },
        { hint: example === undefined ? "config.bad-value.hint" : "config.bad-value.list-hint" },
      );
    }
    throw unknownKey([...path, ...finding.path]);
  }
}

/** A single text where a list belongs, as the list that was probably meant. */
const exampleOf = (shape: Shape, value: unknown): string | undefined =>
  shape.type === "array" && typeof value === "string" && /^[\w.:,-]+$/.test(value)
    ? JSON.stringify(value.split(",").map(showableSegment))
    : undefined;

/** Keys of one channel or account that neither we nor its connector know; `own` are the connector's. Undefined where all are known. */
export function unknownChannelKey(
  { path: given, value }: Setting,
  own: readonly string[],
): PincerError | undefined {
  const at = given.indexOf("channels");
  const path = given.slice(at);
  const depth = path[2] === "accounts" ? 4 : 2;
  const known = [...Object.keys(shapeAt(configShape, ["channels", path[1] ?? ""])?.properties ?? {}), ...own];
  const names =
    path.length > depth
      ? [String(path[depth])]
      : isTable(value) && path.length === depth
        ? Object.keys(value)
        : [];
  const name = names.find((each) => !known.includes(each));
  if (name === undefined) return undefined;
  const nearest = nearestName(name, known);
  const place = [...given.slice(0, at), ...path.slice(0, depth)];
  return unknownKey([...place, name], nearest === undefined ? undefined : [...place, nearest]);
}

function unknownKey(path: ConfigPath, nearest = nearestPath(configShape, path)): PincerError {
  const key = formatPath(path);
  return nearest === undefined
    ? failure("config/not-found", "config.unknown-key", { key }, { hint: "config.unknown-key.hint" })
    : failure(
        "config/not-found",
        "config.unknown-key",
        { key, nearest: formatPath(nearest) },
        { hint: "config.unknown-key.nearest" },
      );
}

/** Our own names may be anybody's password; what people name or write themselves has no reason to be. */
function assertHoldsNoSecret({ path, value }: Setting, known: KnownSecrets): void {
  const refuse = (name: string, at: ConfigPath) => {
    const key = formatPath(at);
    return failure(
      "config/bad-value",
      "config.holds-secret",
      { key, name },
      { hint: "config.holds-secret.hint" },
    );
  };
  for (const [index, segment] of path.entries()) {
    const above = path.slice(0, index);
    const isOurs = shapeAt(configShape, above)?.properties?.[segment] !== undefined;
    const name = isOurs ? undefined : known.within(String(segment));
    if (name !== undefined) throw refuse(name, above);
  }
  if (typeof value === "string") {
    const name = isHandle(value) ? undefined : known.within(value);
    if (name !== undefined) throw refuse(name, path);
  } else if (typeof value === "object" && value !== null)
    for (const [name, item] of Object.entries(value))
      assertHoldsNoSecret(
        { path: [...path, Array.isArray(value) ? Number(name) : name], value: item },
        known,
      );
}

/** Faults that were there before are no reason to refuse a change. */
function assertNoNewFault(before: string | undefined, after: string): void {
  const known = new Set(faults(before ?? "{}").map(describeProblem));
  const fresh = faults(after).find((fault) => !known.has(describeProblem(fault)));
  if (fresh === undefined) return;
  const { key = "", text } = fresh;
  const { fault, faultZh } = inBothLanguages("fault", text);
  throw failure(
    "config/bad-value",
    "config.would-not-fit",
    { fault: `${key}: ${fault}`, faultZh: `${key}：${faultZh}` },
    { hint: "config.would-not-fit.hint" },
  );
}

/** Without their places, which a change elsewhere moves. */
const faults = (text: string): Problem[] =>
  evaluateConfig({ text, file: "", lastGood: undefined, environment: {}, profile: undefined, flags: {} })
    .problems.filter(({ severity }) => severity === "error")
    .map(({ file: _file, line: _line, column: _column, ...fault }) => fault);
