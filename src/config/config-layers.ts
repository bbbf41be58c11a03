/**
 * Layers of config, lowest first: file, profile overlay in the file, environment, PROFILE_<NAME>_ environment, flag.
 * Groups merge key by key, everything else is replaced; the highest layer that sets a key wins, always.
 */
// By an entry of its own: the whole sdk has schemas, which a start without a file does without.
import { formatPath, isTable, readPath, withPath, type ConfigPath } from "@pincer/sdk/config-path";
import {
  readEnvironment,
  readProfileEnvironment,
  type Environment,
  type EnvironmentLayer,
} from "./environment-layer.ts";
import { inBothLanguages } from "./in-both-languages.ts";
import { problemOf, type ConfigSource, type Problem } from "./loaded-config.ts";

export interface Layers {
  profile: string | undefined;
  problems: Problem[];
  /** Lays one value on top; false, and nothing happens, when `fits` refuses it. */
  lay(
    layer: ConfigSource["layer"],
    path: ConfigPath,
    value: unknown,
    fits: (value: unknown) => boolean,
  ): boolean;
  ignore(problem: Problem): void;
  merged(): unknown;
  sources(): Record<string, ConfigSource>;
}

interface Layer extends ConfigSource {
  value: unknown;
}

export function layEnvironment(
  { values }: { values: Layer[] },
  {
    environment,
    profile: asked,
    base,
  }: { environment: Environment; profile: string | undefined; base: unknown },
): Layers {
  const layers = [...values];
  const problems: Problem[] = [];
  const inFile = readPath(base, ["profile"]);
  const profile =
    asked || environment["PINCER_PROFILE"] || (typeof inFile === "string" && inFile ? inFile : undefined);

  const addEnvironment = (layer: ConfigSource["layer"], { set, ignored }: EnvironmentLayer) => {
    for (const { path, value, variable } of set)
      layers.push({ layer, variable, value: withPath({}, path, value) });
    for (const { path, variable, expected } of ignored)
      problems.push(
        problemOf(
          { severity: "warning", type: "ignored-variable", key: formatPath(path) },
          "config.problem.ignored-variable",
          { variable, ...inBothLanguages("expected", expected) },
        ),
      );
  };

  if (profile !== undefined) {
    const overlay = readPath(base, ["profiles", profile]);
    if (isTable(overlay)) layers.push({ layer: "profile", value: overlay });
  }
  addEnvironment("environment", readEnvironment(environment));
  if (profile !== undefined) {
    const ofProfile = readProfileEnvironment(environment, profile);
    addEnvironment("profile-environment", ofProfile);
    const isKnown = readPath(base, ["profiles", profile]) !== undefined || ofProfile.set.length > 0;
    if (!isKnown)
      problems.push(
        problemOf(
          { severity: "warning", type: "unknown-profile", key: "profile" },
          "config.problem.unknown-profile",
        ),
      );
  }

  const merged = () => layers.reduce<unknown>((below, { value }) => merge(below, value), {});
  return {
    profile,
    problems,
    ignore: (problem) => problems.push(problem),
    lay(layer, path, value, fits) {
      const alone = withPath({}, path, value);
      if (!fits(alone)) return false;
      layers.push({ layer, value: alone });
      return true;
    },
    merged,
    sources() {
      const sources: Record<string, ConfigSource> = {};
      for (const { layer, variable, value } of layers)
        for (const path of leaves(value))
          sources[path] = variable === undefined ? { layer } : { layer, variable };
      return sources;
    },
  };
}

/** Groups key by key; everything else, lists included, is replaced. */
export function merge(below: unknown, above: unknown): unknown {
  if (!isTable(below) || !isTable(above)) return above;
  const merged = { ...below };
  for (const [name, value] of Object.entries(above))
    merged[name] = Object.hasOwn(below, name) ? merge(below[name], value) : value;
  return merged;
}

function leaves(value: unknown, path: ConfigPath = []): string[] {
  if (!isTable(value)) return [formatPath(path)];
  return Object.keys(value).flatMap((name) => leaves(value[name], [...path, name]));
}
