/**
 * Every change of the config as one file: who, when, what, and the text after it. Secrets do not get here: where
 * the text holds a literal one, the history has `***` and the list of such paths.
 */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { formatPath, type ConfigPath } from "@pincer/sdk";
import { shapeAt } from "./check-config.ts";
import { diskFailure } from "./disk-failure.ts";
import { rangeOf, splice } from "./edit-config.ts";
import { noneKnown, type KnownSecrets } from "./known-secrets.ts";
import { nameOf, parseConfig } from "./parse-config.ts";
import { readRegularFile } from "./read-regular-file.ts";
import { configShape } from "./schema.ts";
import { isLiteralSecret, mask, maskProse } from "./secret-keys.ts";
import { createPrivateFile } from "./write-private-file.ts";
import type { ValueNode } from "@humanwhocodes/momoa";

/** `hand`: somebody edited the file itself. `restore`: it came out of a backup. */
export type ChangeAuthor = "user" | "hand" | "migration" | "agent" | "restore";

export interface ConfigChange {
  number: number;
  time: string;
  author: ChangeAuthor;
  /** Who asked for it, as the gateway knows them; left out where it was done at this machine. */
  by?: string;
  summary: string;
  /** Unified, secrets masked. */
  diff: string;
  /** The text after the change, secrets masked; null when there was no file. */
  text: string | null;
  /** Paths whose literal secret is not in the text. */
  masked: string[];
}

export interface MaskedText {
  text: string;
  masked: string[];
}

export interface ConfigHistory {
  /** Rising by number. Files that cannot be read are passed over. */
  list(): Promise<ConfigChange[]>;
  last(): Promise<ConfigChange | undefined>;
  /** The caller holds the home's lock. No known secret gets into the diff, though an older record may have it. */
  append(change: Omit<ConfigChange, "number" | "diff">, known?: KnownSecrets): Promise<ConfigChange>;
}

export function openConfigHistory(directory: string): ConfigHistory {
  const names = async () => {
    const found = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return [];
      throw diskFailure(error, directory);
    });
    return found
      .filter((name) => /^\d+-.*\.json$/.test(name))
      .sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10));
  };
  const last = async () => {
    for (const name of (await names()).toReversed()) {
      const change = await readChange(join(directory, name));
      if (change) return change;
    }
    return undefined;
  };
  return {
    last,
    async list() {
      const changes = await Promise.all((await names()).map((name) => readChange(join(directory, name))));
      return changes.filter((change) => change !== undefined);
    },
    async append(entry, known) {
      const before = await last();
      // The highest number on the disk counts, also when its file cannot be read: numbers are never used twice.
      const highest = Number.parseInt((await names()).at(-1) ?? "0", 10);
      const diff = await patch(withoutKnown(before?.text ?? "", known), entry.text ?? "");
      const change: ConfigChange = { number: highest + 1, ...entry, diff };
      const number = String(change.number).padStart(6, "0");
      const name = `${number}-${entry.time.replaceAll(/[:.]/g, "-")}-${entry.author}.json`;
      await createPrivateFile(join(directory, name), `${JSON.stringify(change, null, 2)}\n`);
      return change;
    },
  };
}

/**
 * The text without literal secrets, and without `known` ones wherever they stand; undefined when it cannot be parsed,
 * since then nobody knows where they are.
 */
export function maskText(text: string, known: KnownSecrets = noneKnown): MaskedText | undefined {
  const parsed = parseConfig(text);
  if (parsed.type === "unparsable") return undefined;
  const masked = new Set<string>();
  const cuts: Array<{ range: [number, number]; text: string }> = [];
  const hide = (node: ValueNode, path: ConfigPath): void => {
    masked.add(formatPath(path));
    cuts.push({ range: rangeOf(node), text: JSON.stringify(mask) });
  };
  const visit = (node: ValueNode, path: ConfigPath): void => {
    if (node.type === "Object")
      for (const member of node.members) {
        const name = nameOf(member.name);
        const isOurs = shapeAt(configShape, path)?.properties?.[name] !== undefined;
        if (isOurs || known.within(name) === undefined) visit(member.value, [...path, name]);
        else {
          cuts.push({ range: rangeOf(member.name), text: JSON.stringify(mask) });
          hide(member.value, [...path, mask]);
        }
      }
    else if (node.type === "Array")
      for (const [index, element] of node.elements.entries()) visit(element.value, [...path, index]);
    else {
      const value = "value" in node ? node.value : null;
      const isKnown = typeof value === "string" && known.within(value) !== undefined;
      if (isKnown || isLiteralSecret(configShape, path, value)) hide(node, path);
    }
  };
  visit(parsed.document.body, []);
  for (const token of parsed.document.tokens ?? [])
    if (token.type.endsWith("Comment"))
      cuts.push({ range: rangeOf(token), text: known.hide(maskProse(text.slice(...rangeOf(token)))) });
  return { text: splice(text, cuts), masked: [...masked] };
}

/** From one text of the file to another, secrets masked; empty where one of them cannot be parsed, since then nobody knows where they are. */
export async function diffTexts(
  { before = "", after }: { before?: string | undefined; after: string },
  known: KnownSecrets,
): Promise<string> {
  const old = before.trim() === "" ? { text: before } : maskText(before, known);
  const fresh = maskText(after, known);
  return old && fresh ? patch(old.text, fresh.text) : "";
}

async function patch(before: string, after: string): Promise<string> {
  const { createTwoFilesPatch } = await import("diff");
  return createTwoFilesPatch("config.json5", "config.json5", before, after, "", "", { context: 2 });
}

const withoutKnown = (text: string, known: KnownSecrets | undefined) =>
  (known && maskText(text, known)?.text) ?? text;

async function readChange(file: string): Promise<ConfigChange | undefined> {
  try {
    const change = JSON.parse(await readRegularFile(file)) as ConfigChange;
    const isWhole =
      Number.isSafeInteger(change.number) && (change.text === null || typeof change.text === "string");
    return isWhole ? { ...change, masked: Array.isArray(change.masked) ? change.masked : [] } : undefined;
  } catch {
    // A damaged record must not take the others with it.
    return undefined;
  }
}
