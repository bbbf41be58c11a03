/** What is there and how it is doing, at a glance: one opening of the database, no long checks. */
import { asPincerError } from "@pincer/sdk";
import type { Secrets } from "../config/secrets.ts";
import { describeProblem, type LoadedConfig, type Problem } from "../config/loaded-config.ts";
import { languageOf } from "../infra/language.ts";
import { describeDatabase, type DatabaseStatus } from "./database-status.ts";
import { examineHome, type ExaminedHomeParts } from "./home/examine-home.ts";
import { freeBytes } from "./home/free-bytes.ts";

export interface StatusParts extends ExaminedHomeParts {
  version: string;
}

export interface Status {
  /** False when the database cannot be used. */
  ok: boolean;
  version: string;
  node: string;
  home: string;
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
    problems: Array<Problem & { text: string }>;
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
  const { environment, version } = parts;
  const examined = examineHome(parts);
  const { home, secrets } = examined;
  await examined.hideSecrets();
  try {
    const loaded = await examined.config();
    const { config } = loaded;
    const { database, agentIds } = await describeDatabase(home.coreDb, await examined.database());
    return {
      ok: database.state !== "failed",
      version,
      node: process.versions.node,
      home: home.root,
      edition: config.edition,
      language: config.language === "auto" ? languageOf(environment) : config.language,
      model: nextModel(config.agents.defaults.model.primary),
      config: configStatus(loaded),
      database,
      agents: agentsOf(loaded, agentIds),
      workdir: await examined.workdir(),
      gateway: { running: false },
      secrets: await countSecrets(secrets),
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

const configStatus = ({
  file,
  hasText,
  mode,
  fallback,
  profile,
  problems,
}: LoadedConfig): Status["config"] => ({
  file,
  exists: hasText,
  mode,
  fallback: fallback ?? null,
  profile: profile ?? null,
  problems: problems.map((problem) => ({ ...problem, text: describeProblem(problem) })),
});

function agentsOf({ config }: LoadedConfig, known: string[]): Status["agents"] {
  const configured = config.agents.list;
  const defaultId = configured.find((agent) => agent.default)?.id ?? "main";
  const ids = new Set([defaultId, ...configured.map(({ id }) => id), ...known]);
  return [...ids].map((id) => ({ id, isDefault: id === defaultId }));
}

async function countSecrets(secrets: Secrets): Promise<Status["secrets"]> {
  try {
    return { count: (await secrets.list()).length };
  } catch (error) {
    return { count: 0, error: asPincerError(error).message };
  }
}
