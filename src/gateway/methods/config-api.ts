/** The configuration, for callers who may see or change it: the same rules locally and remotely. */
import { formatPath, readPath, type ConfigChangeView, type ConfigPath, type PincerError } from "@pincer/sdk";
import { revertConfig } from "../../config/change-config.ts";
import { nearestPath } from "../../config/check-config.ts";
import { diffTexts, maskText, openConfigHistory, type ConfigChange } from "../../config/config-history.ts";
import type { Environment } from "../../config/environment-layer.ts";
import type { Home } from "../../config/home.ts";
import { readKnownSecrets } from "../../config/known-secrets.ts";
import { loadConfig } from "../../config/load-config.ts";
import { sayProblem, type LoadedConfig } from "../../config/loaded-config.ts";
import { maskConfig } from "../../config/mask-config.ts";
import { changedOwnersKey } from "../../config/owner-keys.ts";
import { parsePath } from "../../config/parse-path.ts";
import { readIfThere } from "../../config/read-regular-file.ts";
import { hideInAddresses } from "../../config/secret-addresses.ts";
import { configFileSchema, configShape, type Config } from "../../config/schema.ts";
import {
  setConfig,
  trySetConfig,
  tryUnsetConfig,
  unknownChannelKey,
  unsetConfig,
  type ConfigEditor,
  type TriedChange,
} from "../../config/set-config.ts";
import type { Setting } from "../../config/store-literals.ts";
import { failure } from "../../infra/failure.ts";
import { createSay, type Say } from "../../infra/texts.ts";
import type { Language } from "../../infra/texts/table.ts";
import { isOwner } from "../../policy/caller.ts";
import type { Api, Until } from "./api.ts";

export interface ConfigApiParts {
  home: Home;
  environment: Environment;
  editor: ConfigEditor;
  /** Has a running gateway work with what was written; never throws. */
  takeUp(language: Language | undefined): Promise<TakenUp>;
  /** What a running gateway works with; left out, what the file and the environment say. */
  inForce?: () => Config;
  /** The keys that a channel's connector reads; undefined where they are not known. */
  channelKeys?: (channel: string) => Promise<readonly string[] | undefined>;
  say: Say;
}

export type TakenUp = Pick<ConfigChangeView, "inForce" | "problems">;

export function createConfigApi({
  home,
  environment,
  editor,
  takeUp,
  inForce,
  channelKeys,
  say,
}: ConfigApiParts): Api<"config"> {
  const history = openConfigHistory(home.configHistoryDir);
  /** What a channel's connector reads is known to the connector alone. */
  async function wrongChannelKey({ path, value }: Setting): Promise<PincerError | undefined> {
    const [section, channel] = path[0] === "profiles" ? path.slice(2) : path;
    const own =
      section === "channels" && channel !== undefined ? await channelKeys?.(String(channel)) : undefined;
    return own && unknownChannelKey({ path, value }, own);
  }
  const tried = async (change: TriedChange): Promise<ConfigChangeView> => {
    const isChange = change.after !== change.before;
    const diff = isChange ? await diffTexts(change, await readKnownSecrets(editor.secrets)) : "";
    return { ...notWritten(isChange), diff: hideInAddresses(diff) };
  };

  return {
    async get({ path: text, language }) {
      const loaded = await loadConfig({ home, environment, profile: undefined });
      const masked = maskConfig(inForce?.() ?? loaded.config, loaded.secretPaths);
      const path = text === undefined ? undefined : parsePath(text);
      const value = path ? readPath(masked, path) : masked;
      if (path && value === undefined) throw notSet("config.not-set", path);
      const words = language ? createSay(language) : say;
      return {
        path: path ? formatPath(path) : null,
        value,
        source: path ? (loaded.sources[formatPath(path)]?.layer ?? "default") : null,
        ...(path ? {} : { sources: layersOf(loaded.sources) }),
        mode: loaded.mode,
        problems: loaded.problems.map((problem) => sayProblem(problem, words)),
      };
    },

    async set({ path: text, value, dryRun, force, language }, until) {
      const path = parsePath(text);
      const named = { path: formatPath(path) };
      const bound = { ...editor, ...askedBy(until) };
      const unknownKeys = force ? "allow" : "refuse";
      const wrong = force ? undefined : await wrongChannelKey({ path, value });
      if (wrong) throw wrong;
      if (dryRun) {
        const change = await trySetConfig(bound, [{ path, value }], unknownKeys);
        return { ...(await tried(change)), ...named, secrets: [] };
      }
      const { change, stored } = await setConfig(bound, [{ path, value }], unknownKeys);
      return { ...(await written(change, () => takeUp(language))), ...named, secrets: stored };
    },

    async unset({ path: text, dryRun, language }, until) {
      const path = parsePath(text);
      const named = { path: formatPath(path) };
      const bound = { ...editor, ...askedBy(until) };
      if (dryRun) {
        const change = await tryUnsetConfig(bound, path);
        if (!change) throw notSet("config.not-set-in-file", path);
        return { ...(await tried(change)), ...named };
      }
      const change = await unsetConfig(bound, path);
      if (!change) throw notSet("config.not-set-in-file", path);
      return { ...(await written(change, () => takeUp(language))), ...named };
    },

    async history({ limit = 20, before = Infinity, diff: withDiff = false }) {
      const changes = (await history.list()).filter(({ number }) => number < before);
      return {
        changes: changes
          .toReversed()
          .slice(0, limit)
          .map(({ number, time, author, summary, diff }) => ({
            number,
            time,
            author,
            summary,
            ...(withDiff ? { diff: hideInAddresses(diff) } : {}),
          })),
      };
    },

    async diff({ id }) {
      const changes = await history.list();
      const found = id === undefined ? changes.at(-1) : changes.find(({ number }) => number === id);
      if (!found) throw noChange(id);
      const { number, time, author, summary, diff } = found;
      return { number, time, author, summary, diff: hideInAddresses(diff) };
    },

    async revert({ id, language }, until) {
      const reverted = await revertConfig({ ...editor, number: id, ...askedBy(until) });
      const { change, lostSecrets, kept, putAside = null } = reverted;
      return { ...(await written(change, () => takeUp(language))), lostSecrets, kept, putAside };
    },

    async file() {
      const text = await readIfThere(home.configFile).catch(() => undefined);
      const known = await readKnownSecrets(editor.secrets);
      const shown = text === undefined ? undefined : maskText(text, known)?.text;
      return { file: home.configFile, text: shown === undefined ? null : hideInAddresses(shown) };
    },

    schema: async () => configFileSchema(),
  };
}

/** What a request adds to an editor: who asks, and what they may change. */
export const askedBy = (until: Until | undefined): Pick<ConfigEditor, "allows" | "by"> => ({
  allows: allowsFor(until),
  by: until?.caller?.id,
});

/** Only an owner may change who is an owner. Undefined: everything may be changed. */
export function allowsFor(until: Until | undefined): ConfigEditor["allows"] {
  const { caller } = until ?? {};
  if (caller === undefined || isOwner(caller)) return undefined;
  return (before, after) => {
    const key = changedOwnersKey(before, after);
    if (key === undefined) return;
    throw failure("permission/missing", "control.owners-key", { key }, { hint: "control.owners-key.hint" });
  };
}

/** What became of a change that is in the file, or of one that was none. */
export async function written(
  change: Pick<ConfigChange, "number" | "summary"> | undefined,
  takeUp: () => Promise<TakenUp>,
): Promise<ConfigChangeView> {
  if (!change) return notWritten(false);
  return { changed: true, number: change.number, summary: change.summary, ...(await takeUp()) };
}

const layersOf = (sources: LoadedConfig["sources"]): Record<string, string> =>
  Object.fromEntries(Object.entries(sources).map(([path, { layer }]) => [path, layer]));

const notWritten = (changed: boolean): ConfigChangeView => ({
  changed,
  number: null,
  summary: null,
  inForce: null,
  problems: [],
});

/** A key that is known and says nothing, or one that nobody knows. */
export function notSet(key: "config.not-set" | "config.not-set-in-file", path: ConfigPath): PincerError {
  const nearest = nearestPath(configShape, path);
  return failure(
    "config/not-found",
    key,
    { key: formatPath(path), nearest: nearest ? formatPath(nearest) : "" },
    { hint: nearest && "config.not-set.nearest" },
  );
}

const noChange = (id: number | undefined): PincerError =>
  failure(
    "config/not-found",
    id === undefined ? "config.no-change" : "config.no-change.number",
    { number: id ?? 0 },
    { hint: "config.no-change.hint" },
  );
