/**
 * All changes of the config file go through here: one at a time under the home's lock, recorded, atomic. An edit
 * made by hand in the meantime is noticed and recorded first, so that undoing a change never undoes that as well.
 */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { timestamp, type Clock } from "../infra/clock.ts";
import { failure } from "../infra/failure.ts";
import {
  maskText,
  openConfigHistory,
  type ChangeAuthor,
  type ConfigChange,
  type ConfigHistory,
} from "./config-history.ts";
import type { Environment } from "./environment-layer.ts";
import type { Home } from "./home.ts";
import { tryLock, withHomeLock } from "./home-lock.ts";
import { readKnownSecrets, type KnownSecrets } from "./known-secrets.ts";
import { keepLastGood } from "./last-good.ts";
import { readIfThere } from "./read-regular-file.ts";
import { restoreSecrets } from "./restore-secrets.ts";
import type { Secrets } from "./secrets.ts";
import { replacePrivateFile } from "./write-private-file.ts";

type ConfigHome = Pick<Home, "root" | "configFile" | "lastGoodFile" | "configHistoryDir">;

export interface ChangeRequest {
  home: ConfigHome;
  clock: Clock;
  /** Their values are kept out of the history wherever they stand. */
  secrets?: Pick<Secrets, "values"> | undefined;
  /** For the variables that the config refers to. */
  environment?: Environment | undefined;
  author: ChangeAuthor;
  /** Who asked for it, where it was asked of a gateway. */
  by?: string | undefined;
  summary: string;
  /** From the present text (undefined: no file) to the new one. May throw to refuse; then nothing is written. May be called again. */
  edit(text: string | undefined): string;
  /** Looks at both texts (undefined: no file) before anything is written. May throw to refuse; then nothing is. May be called again. */
  allows?: ((before: string | undefined, after: string | undefined) => void) | undefined;
}

/** Applies one change. undefined when the edit changes nothing. */
export async function changeConfig({
  home,
  clock,
  secrets,
  environment,
  author,
  by,
  summary,
  edit,
  allows,
}: ChangeRequest): Promise<ConfigChange | undefined> {
  return withHomeLock(home.root, clock, async () => {
    const known = await readKnownSecrets(secrets);
    const history = openConfigHistory(home.configHistoryDir);
    // An editor does not know our lock: if it writes while we compute, we compute again from what it wrote.
    for (let tries = 0; tries < 5; tries++) {
      const before = await readIfThere(home.configFile);
      const after = edit(before);
      if (after === before) return undefined;
      allows?.(before, after);
      await recordHandEdit(history, clock, known, before);
      if ((await readIfThere(home.configFile)) !== before) continue;
      await replacePrivateFile(home.configFile, after);
      await keepLastGood(home, after, environment);
      return record(history, clock, known, { author, by, summary }, after);
    }
    throw failure("storage/busy", "config.keeps-changing", {}, { hint: "config.keeps-changing.hint" });
  });
}

export interface Reverted {
  change: ConfigChange;
  /** Secrets that were not kept and have to be set again. */
  lostSecrets: string[];
  /** Keys and lists with secrets that were not reverted: the history does not have the secrets they had. */
  kept: string[];
  /** Where a text that could not be parsed was put aside. */
  putAside: string | undefined;
}

/** Undoes the last change, or goes back to the state before change `number`. */
export async function revertConfig({
  home,
  clock,
  secrets,
  environment,
  number,
  by,
  allows,
}: Pick<ChangeRequest, "home" | "clock" | "secrets" | "environment" | "by" | "allows"> & {
  number: number | undefined;
}): Promise<Reverted> {
  return withHomeLock(home.root, clock, async () => {
    const known = await readKnownSecrets(secrets);
    const history = openConfigHistory(home.configHistoryDir);
    const present = await readIfThere(home.configFile);
    const isBroken = present !== undefined && maskText(present) === undefined;
    if (!isBroken) await recordHandEdit(history, clock, known, present);
    const target = await findTarget(await history.list(), number, isBroken, home);

    const literals = (isBroken ? await readIfThere(home.lastGoodFile) : present) ?? "";
    const { masked } = target;
    const restored =
      target.text === null ? undefined : restoreSecrets({ text: target.text, masked }, literals);
    const { kept = [], lost = [] } = restored ?? {};
    if (kept.length > 0 && restored?.text === present) throw nothingToRevert(kept);
    allows?.(isBroken ? literals : present, restored?.text);
    const putAside = isBroken ? join(home.root, "config.unparsable.json5") : undefined;
    if (putAside && present !== undefined) await replacePrivateFile(putAside, present);
    if (restored === undefined) await rm(home.configFile, { force: true });
    else await replacePrivateFile(home.configFile, restored.text);
    await keepLastGood(home, restored?.text, environment);
    const change = await record(
      history,
      clock,
      known,
      { author: "user", by, summary: target.summary },
      restored?.text,
    );
    return { change, lostSecrets: lost, kept, putAside };
  });
}

/**
 * Records the text as an edit by hand, unless the history has it already, and keeps it as the last good one; not when
 * the file has another one by now. Steps back when another process is at it: that one records what it finds, or the next load does.
 */
export async function noteHandEdit(
  home: ConfigHome,
  text: string,
  clock: Clock,
  secrets?: Pick<Secrets, "values">,
): Promise<void> {
  const release = await tryLock(home.root);
  if (!release) return;
  try {
    // It was read before the lock: what has been replaced since is in the history already.
    if ((await readIfThere(home.configFile)) !== text) return;
    const known = await readKnownSecrets(secrets);
    await recordHandEdit(openConfigHistory(home.configHistoryDir), clock, known, text);
    await replacePrivateFile(home.lastGoodFile, text);
  } finally {
    release();
  }
}

interface Target {
  text: string | null;
  masked: string[];
  summary: string;
}

async function findTarget(
  changes: ConfigChange[],
  number: number | undefined,
  isBroken: boolean,
  home: ConfigHome,
): Promise<Target> {
  const last = changes.at(-1);
  if (number === undefined && isBroken) {
    const summary = "revert an edit that could not be parsed";
    if (last) return { text: last.text, masked: last.masked, summary };
    const lastGood = await readIfThere(home.lastGoodFile);
    if (lastGood !== undefined) return { text: lastGood, masked: [], summary };
  }
  const index =
    number === undefined ? changes.length - 1 : changes.findIndex((change) => change.number === number);
  const undone = changes[index];
  if (!undone)
    throw failure(
      "config/not-found",
      number === undefined ? "config.no-change" : "config.no-change.number",
      { number: number ?? 0 },
      { hint: "config.no-change.hint" },
    );
  const before = changes[index - 1];
  const summary =
    number === undefined ? `revert change ${undone.number}` : `go back to before change ${undone.number}`;
  return { text: before?.text ?? null, masked: before?.masked ?? [], summary };
}

const nothingToRevert = (kept: string[]) =>
  failure(
    "config/not-found",
    "config.nothing-to-revert",
    { keys: kept.join(", ") },
    { hint: "config.nothing-to-revert.hint" },
  );

async function recordHandEdit(
  history: ConfigHistory,
  clock: Clock,
  known: KnownSecrets,
  text: string | undefined,
): Promise<void> {
  const last = await history.last();
  const masked = text === undefined ? undefined : maskText(text, known);
  if (text !== undefined && masked === undefined) return;
  // What was recorded before a secret in it was known is the same text all the same.
  const recorded = last?.text == null ? null : (maskText(last.text, known)?.text ?? last.text);
  if ((masked?.text ?? null) === recorded) return;
  const summary = last ? "edited by hand" : "found as it was";
  await record(history, clock, known, { author: "hand", summary }, text);
}

async function record(
  history: ConfigHistory,
  clock: Clock,
  known: KnownSecrets,
  { author, by, summary }: Pick<ChangeRequest, "author" | "by" | "summary">,
  text: string | undefined,
): Promise<ConfigChange> {
  const kept = text === undefined ? undefined : maskText(text, known);
  const entry = {
    time: timestamp(clock),
    author,
    ...(by === undefined ? {} : { by }),
    summary,
    text: kept?.text ?? null,
    masked: kept?.masked ?? [],
  };
  return history.append(entry, known);
}
