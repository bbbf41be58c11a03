/** What is there and how it is doing, at a glance: one opening of the database, no long checks. */
import { asPincerError } from "@pincer/sdk";
import type { Secrets } from "../config/secrets.ts";
import { describeProblem, type LoadedConfig, type Problem } from "../config/loaded-config.ts";
import { languageOf } from "../infra/language.ts";
import type { Say } from "../infra/texts.ts";
import { chooseModel } from "../models/choose-model.ts";
import { createStubModel } from "../models/stub-model.ts";
import { examineHome, type DatabaseState, type ExaminedHomeParts } from "./doctor/examined-home.ts";
import { freeBytes } from "./doctor/free-disk.ts";

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
  /** `provider/model` of whoever would answer now; `connected` is false when the configured one cannot be reached. */
  model: { reference: string; connected: boolean; reason?: string };
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

export type DatabaseStatus =
  | {
      state: "open";
      file: string;
      sizeBytes: number;
      schemaVersion: number;
      sessions: number;
      entries: number;
    }
  | { state: "absent"; file: string }
  | { state: "failed"; file: string; code: string; error: string; hint: string | null };

/** Makes nothing by looking, and works whatever state the home is in. */
export async function readStatus(parts: StatusParts): Promise<Status> {
  const { environment, say, version } = parts;
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
      model: nextModel(config.agents.defaults.model.primary, say),
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

async function describeDatabase(
  file: string,
  state: DatabaseState,
): Promise<{ database: DatabaseStatus; agentIds: string[] }> {
  if (state.type === "absent") return { database: { state: "absent", file }, agentIds: [] };
  if (state.type === "failed") {
    const { code, message, hint } = state.error;
    return { database: failed(file, code, message, hint), agentIds: [] };
  }
  const { ok, problems, sizeBytes, schemaVersion, sessions, entries } = await state.stores.health("quick");
  if (!ok)
    return {
      database: failed(file, "storage/corrupt", problems.map(({ message }) => message).join("; ")),
      agentIds: [],
    };
  const agents = await state.tenant.directory.listAgents();
  return {
    database: { state: "open", file, sizeBytes, schemaVersion, sessions, entries },
    agentIds: agents.map(({ id }) => id),
  };
}

const failed = (
  file: string,
  code: string,
  error: string,
  hint = "Run `pincer doctor`.",
): DatabaseStatus => ({
  state: "failed",
  file,
  code,
  error,
  hint,
});

function nextModel(primary: string | undefined, say: Say): Status["model"] {
  try {
    const { provider, id } = chooseModel(primary ? { configured: primary } : {}, [createStubModel(say)]);
    return { reference: `${provider}/${id}`, connected: true };
  } catch (error) {
    return { reference: primary ?? "", connected: false, reason: (error as Error).message };
  }
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
