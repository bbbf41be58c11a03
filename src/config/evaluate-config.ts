/**
 * From text to config, without touching anything: parse, bring up to date, fill variables, check, lay profile,
 * environment and flags over it, fill defaults. Whatever the text, the result is a config that fits the schema.
 */
import { formatPath, isTable, readPath, type ConfigPath } from "@pincer/sdk";
import { checkConfig, fillDefaults, type Finding } from "./check-config.ts";
import { parsePath } from "./parse-path.ts";
import { defaultConfig } from "./default-config.ts";
import { layEnvironment, type Layers } from "./config-layers.ts";
import type { Environment } from "./environment-layer.ts";
import { inBothLanguages, type Wording } from "./in-both-languages.ts";
import { problemOf, type LoadedConfig, type Problem } from "./loaded-config.ts";
import { migrateConfig, newestConfigVersion, type Move } from "./migrations.ts";
import { takeOverShapes } from "./openclaw-shapes.ts";
import { parseConfig, type ParsedConfig, type Place } from "./parse-config.ts";
import { respellAgentIds } from "./respell-agent-ids.ts";
import { configShape, type Config } from "./schema.ts";
import { showableSegment } from "./secret-keys.ts";
import { leaveOut, sectionAround } from "./strict-sections.ts";
import { substituteVariables } from "./substitute-variables.ts";

export interface ConfigInput {
  /** undefined: there is no file. */
  text: string | undefined;
  /** Named in problems. */
  file: string;
  /** What to fall back to when the text is no good. */
  lastGood: string | undefined;
  environment: Environment;
  profile: string | undefined;
  /** Values from the command line by path, over everything else. */
  flags: Record<string, unknown>;
}

/** Never throws. Mode `safe` means that the text was not used; the problems say why. */
export function evaluateConfig(input: ConfigInput): Omit<LoadedConfig, "stamp"> {
  const { file, environment } = input;
  const read = readText(input.text ?? "{}", input);
  const isBroken = read.isBroken;
  const fallback = isBroken && input.lastGood !== undefined ? readText(input.lastGood, input) : undefined;
  const fallbackIsGood = fallback !== undefined && !fallback.isBroken;
  const base = isBroken ? (fallbackIsGood ? fallback : emptyFile) : read;

  const layers = layEnvironment(
    { values: [{ layer: "file", value: base.value }] },
    { environment, profile: input.profile, base: base.value },
  );
  for (const [text, value] of Object.entries(input.flags))
    for (const path of spellOut(text, layers)) layFlag(layers, path, value);

  const effective = fillDefaults(configShape, layers.merged());
  const final = checkConfig(configShape, effective, "complete");
  // Each layer was checked by itself, so together they fit; if they ever do not, defaults do.
  const fits = !final.findings.some((finding) => finding.type === "bad-value");
  const config = (fits ? final.value : structuredClone(defaultConfig)) as Config;
  return {
    config,
    sources: fits ? layers.sources() : {},
    problems: [...read.problems.filter((problem) => concerns(problem, layers.profile)), ...layers.problems],
    mode: isBroken || !fits ? "safe" : "normal",
    fallback: isBroken ? (fallbackIsGood ? "last-good" : "defaults") : undefined,
    hasText: input.text !== undefined,
    profile: layers.profile,
    secretPaths: base.secretPaths,
    file,
  };
}

interface ReadText {
  value: Record<string, unknown>;
  /** Nothing of it is used. */
  isBroken: boolean;
  problems: Problem[];
  secretPaths: ConfigPath[];
}

const emptyFile: ReadText = { value: {}, isBroken: false, problems: [], secretPaths: [] };

function readText(text: string, { file, environment }: ConfigInput): ReadText {
  const parsed = parseConfig(text);
  if (parsed.type === "unparsable") {
    const { reason, place } = parsed;
    const facts = { severity: "error", type: "unparsable", file, ...place } as const;
    return { ...emptyFile, isBroken: true, problems: [problemOf(facts, reason.key, reason.parameters)] };
  }
  const migrated = migrateConfig(parsed.value);
  const takenOver = takeOverShapes(migrated.value);
  const substituted = substituteVariables(configShape, takenOver.value, environment);
  const respelled = respellAgentIds(configShape, substituted.value);
  const checked = checkConfig(configShape, respelled.value, "partial");

  const report = createReport(file, parsed, migrated.moves);
  for (const { path, what, place } of parsed.remarks) {
    const type = what === "repeated" ? "repeated-key" : "unknown-key";
    report.add("warning", type, path, { key: `config.problem.${what}`, parameters: {} }, place);
  }
  if (migrated.version > newestConfigVersion)
    report.add("warning", "newer-version", ["configVersion"], {
      key: "config.problem.newer-version",
      parameters: {},
    });
  for (const { from, to, moved } of migrated.moves) {
    const key = moved ? "config.problem.moved" : "config.problem.overruled";
    report.add("warning", "old-spelling", from, { key, parameters: { to: show(to) } }, parsed.locate(from));
  }
  for (const { path, isSame, wording } of takenOver.changes)
    if (wording) report.add("warning", isSame ? "old-spelling" : "other-shape", path, wording);
  for (const { path, variable, reason } of substituted.leftOut) {
    const key = reason === "missing" ? "config.problem.missing-variable" : "config.problem.unfit-variable";
    report.add("warning", "missing-variable", path, { key, parameters: { variable } });
  }
  for (const { path, id } of respelled.changes) {
    const parameters = { id: showableSegment(id) };
    report.add("warning", "old-spelling", path, { key: "config.problem.agent-id", parameters });
  }
  for (const finding of checked.findings) report.finding(finding);
  const bad = checked.findings.filter(({ type }) => type === "bad-value");
  const sections = bad.map(({ path }) => sectionAround(path));
  const left = sections.reduce<unknown>((all, each) => (each ? leaveOut(all, each) : all), checked.value);
  const value = isTable(left) ? left : {};
  // The version that a migration adds is nobody's setting.
  if (readPath(parsed.value, ["configVersion"]) === undefined) delete value["configVersion"];
  return {
    value,
    isBroken: sections.includes(undefined),
    problems: report.problems,
    secretPaths: substituted.secretPaths,
  };
}

function createReport(file: string, parsed: ParsedConfig, moves: Move[]) {
  const problems: Problem[] = [];
  const add = (
    severity: Problem["severity"],
    type: Problem["type"],
    path: ConfigPath,
    { key, parameters }: Wording,
    place?: Place,
  ) => {
    const facts = { severity, type, file, ...(place ?? findPlace(path)), key: show(path) };
    problems.push(problemOf(facts, key, parameters));
  };
  // What was moved stands in the text where it was before.
  const findPlace = (path: ConfigPath): Place => {
    let original = path;
    for (const { from, to, moved } of moves.toReversed()) {
      const isInside = moved && to.every((segment, index) => original[index] === segment);
      if (isInside) original = [...from, ...original.slice(to.length)];
    }
    return parsed.locate(original);
  };
  return {
    problems,
    add,
    finding(finding: Finding) {
      if (finding.type !== "unknown-key") {
        // A list may be older than the config: what it lacks keeps nothing from starting.
        const severity = finding.type === "bad-value" ? "error" : "warning";
        const section = finding.type === "bad-value" ? sectionAround(finding.path) : undefined;
        add(severity, finding.type, finding.path, {
          key: wordingFor(section),
          parameters: {
            ...inBothLanguages("expected", finding.expected),
            ...(section && { section: show(section) }),
          },
        });
      } else {
        const { nearest } = finding;
        add(
          "warning",
          "unknown-key",
          finding.path,
          nearest === undefined
            ? { key: "config.problem.unknown-key", parameters: {} }
            : { key: "config.problem.unknown-key.nearest", parameters: { nearest } },
        );
      }
    },
  };
}

function wordingFor(section: ConfigPath | undefined): Wording["key"] {
  if (!section) return "config.problem.bad-value";
  return section[0] === "channels" ? "config.problem.bad-channel" : "config.problem.bad-section";
}

/** `gateway.channels.*.memory` stands for that key of every channel that the config names. */
function spellOut(text: string, layers: Layers): string[] {
  const every = "gateway.channels.*.";
  if (!text.startsWith(every)) return [text];
  const merged = layers.merged();
  const named = [readPath(merged, ["channels"]), readPath(merged, ["gateway", "channels"])];
  const names = new Set(named.flatMap((table) => (isTable(table) ? Object.keys(table) : [])));
  return [...names].map((name) => formatPath(["gateway", "channels", name, text.slice(every.length)]));
}

function layFlag(layers: Layers, text: string, value: unknown): void {
  if (value === undefined) return;
  let path: ConfigPath;
  try {
    path = parsePath(text);
  } catch {
    return layers.ignore(
      problemOf({ severity: "warning", type: "ignored-flag" }, "config.problem.unknown-flag"),
    );
  }
  if (!layers.lay("flag", path, value, (candidate) => fitsSchema(candidate)))
    layers.ignore(
      problemOf({ severity: "warning", type: "ignored-flag", key: show(path) }, "config.problem.unfit-flag"),
    );
}

const fitsSchema = (value: unknown): boolean =>
  checkConfig(configShape, value, "partial").findings.length === 0 && readPath(value, []) !== undefined;

/** Variables that only another profile needs are nobody's business now. */
const concerns = (problem: Problem, profile: string | undefined): boolean =>
  problem.type !== "missing-variable" ||
  problem.key === undefined ||
  !problem.key.startsWith("profiles.") ||
  (profile !== undefined && `${problem.key}.`.startsWith(`${formatPath(["profiles", profile])}.`));

const show = (path: ConfigPath): string => formatPath(path.map(showableSegment)) || "(the whole file)";
