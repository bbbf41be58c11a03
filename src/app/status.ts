/** What is there and how it is doing, at a glance: one opening of the database, no long checks. */
import { asPincerError } from "@pincer/sdk";
import type { Secrets } from "../config/secrets.ts";
import { plainProblem, sayProblem, type LoadedConfig, type Problem } from "../config/loaded-config.ts";
import { sayError } from "../infra/failure.ts";
import { languageOf } from "../infra/language.ts";
import type { Say } from "../infra/texts.ts";
import { defaultAgentOf } from "./agent-settings.ts";
import { describeDatabase, type DatabaseStatus } from "./database-status.ts";
import { examineHome, type ExaminedHomeParts } from "./home/examine-home.ts";
import { freeBytes } from "./home/free-bytes.ts";
import { findHomeFlaw } from "./home/home-flaw.ts";

export interface StatusParts extends ExaminedHomeParts {
  version: string;
}

export interface Status {
  /** False when the home or the database cannot be used. */
  ok: boolean;
  version: string;
  node: string;
  home: string;
  /** Why the home cannot be used, and what to do. */
  homeProblem?: { error: string; hint: string };
  edition: string;
  language: string;
  /** Who would answer now; `connected` is false for the stub, and `wanted` is the configured one that cannot be reached. */
  model: { reference: string; connected: boolean; wanted?: string };
  config: {
    file: string;
    exists: boolean;
    mode: "normal" | "safe";
    fallback: "last-good" | "defaults" | null;
    profile: string | null;
    problems: Array<Omit<Problem, "text"> & { text: string }>;
  };
  database: DatabaseStatus;
  agents: Array<{ id: string; isDefault: boolean }>;
  workdir: string;
  gateway: { running: boolean };
  /** How many, never which. */
  secrets: { count: number; error?: string };
  disk: { freeBytes: number | null };
}

/** Makes and changes nothing of the home's data by looking, and works whatever state the home is in. */
export async function readStatus(parts: StatusParts): Promise<Status> {
  const { environment, say, version } = parts;
  const examined = examineHome(parts);
  const { home, secrets } = examined;
  await examined.hideSecrets();
  try {
    const loaded = await examined.config();
    const { config } = loaded;
    const { database, agentIds } = await describeDatabase(home.coreDb, await examined.database(), say);
    const flaw = await findHomeFlaw(home.root, say);
    const isUnusable = flaw !== undefined && flaw !== "absent";
    return {
      ok: !isUnusable && database.state !== "failed",
      version,
      node: process.versions.node,
      home: home.root,
      ...(isUnusable ? { homeProblem: { error: flaw.reason, hint: say("doctor.home.elsewhere") } } : {}),
      edition: config.edition,
      language: config.language === "auto" ? languageOf(environment) : config.language,
      model: nextModel(config.agents.defaults.model.primary),
      config: configStatus(loaded, say),
      database,
      agents: agentsOf(loaded, agentIds),
      workdir: await examined.workdir(),
      gateway: { running: false },
      secrets: await countSecrets(secrets, say),
      disk: { freeBytes: await freeBytes(home.root).catch(() => null) },
    };
  } finally {
    await examined.closeDatabase();
  }
}

/** Which model answers, and whether it is one that can think. */
function nextModel(wanted: string | undefined): Status["model"] {
  return { reference: "stub/stub", connected: false, ...(wanted ? { wanted } : {}) };
}

const configStatus = (
  { file, hasText, mode, fallback, profile, problems }: LoadedConfig,
  say: Say,
): Status["config"] => ({
  file,
  exists: hasText,
  mode,
  fallback: fallback ?? null,
  profile: profile ?? null,
  problems: problems.map((problem) => ({ ...plainProblem(problem), text: sayProblem(problem, say) })),
});

function agentsOf({ config }: LoadedConfig, known: string[]): Status["agents"] {
  const configured = config.agents.list;
  const defaultId = defaultAgentOf(config);
  const ids = new Set([defaultId, ...configured.map(({ id }) => id), ...known]);
  return [...ids].map((id) => ({ id, isDefault: id === defaultId }));
}

async function countSecrets(secrets: Secrets, say: Say): Promise<Status["secrets"]> {
  try {
    return { count: (await secrets.list()).length };
  } catch (error) {
    return { count: 0, error: sayError(asPincerError(error), say).message };
  }
}
