/** The state of the installation at a glance: opens the database once, without long checks. */
import { asPincerError, type GatewayView } from "@pincer/sdk";
import type { Secrets } from "../../config/secrets.ts";
import { plainProblem, sayProblem, type LoadedConfig, type Problem } from "../../config/loaded-config.ts";
import { sayError } from "../../infra/failure.ts";
import { languageOf } from "../../infra/language.ts";
import type { Say } from "../../infra/texts.ts";
import { hasCredentialFor, type ReadinessParts } from "../../agent/models/model-readiness.ts";
import { listUnconfirmed } from "../../memory/unconfirmed-lines.ts";
import { createWorkdirFiles } from "../../sandbox/workdir-files.ts";
import { reportWall, type WallReport } from "../../sandbox/walls/wall-report.ts";
import type { WallChoice } from "../../sandbox/walls/wall.ts";
import { agentSettings, type AgentSettings } from "../../agent/agent-settings.ts";
import { defaultAgentOf } from "../../config/default-agent.ts";
import { describeDatabase, type DatabaseStatus } from "./database-status.ts";
import { sayNotice } from "../../infra/say-notice.ts";
import {
  examineHome,
  type DatabaseState,
  type ExaminedHome,
  type ExaminedHomeParts,
} from "../../storage/home/examine-home.ts";
import { tryWall } from "../../sandbox/walls/try-wall.ts";
import { freeBytes } from "../../storage/home/free-bytes.ts";
import { findHomeFlaw } from "../../storage/home/home-flaw.ts";

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
  /** Who answers; `connected` is false for the stub, and `wanted` is the configured one that has no credential. */
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
  /** What programs run behind, and how far file tools reach. */
  sandbox: WallReport & { reach: AgentSettings["reach"] };
  gateway: { running: false } | ({ running: true } & GatewayView);
  /** What needs the owner, newest first. */
  notices: Array<{ id: string; text: string; createdAt: string }>;
  /** How many, never which. */
  secrets: { count: number; error?: string };
  disk: { freeBytes: number | null };
  /** What waits for the owner's yes, each counted to 1000; null where the database cannot be read. */
  approvals: { questions: number; turns: number } | null;
  /** Of the default agent: unconfirmed lines that wait for the owner; null if unknown. */
  memory: { unconfirmed: number | null };
}

/** A gateway shows the home by its own open database. */
export interface Beside {
  examined: ExaminedHome;
  /** As the gateway has found it. */
  wall(): Promise<WallChoice>;
  gateway: GatewayView;
}

/** Makes and changes nothing of the home's data by looking, and works whatever state the home is in. */
export async function readStatus(parts: StatusParts, beside?: Beside): Promise<Status> {
  const { environment, say, version } = parts;
  const examined = beside?.examined ?? examineHome(parts);
  const { home, secrets } = examined;
  await examined.hideSecrets();
  try {
    const loaded = await examined.config();
    const { config } = loaded;
    const state = await examined.database();
    const { database, agentIds } = await describeDatabase(home.coreDb, state, say);
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
      model: await nextModel({ config, environment, database: state }),
      config: configStatus(loaded, say),
      database,
      agents: agentsOf(loaded, agentIds),
      workdir: await examined.workdir(),
      sandbox: {
        ...reportWall(await (beside?.wall() ?? tryWall(config.tools.exec, examined)), say),
        reach: agentSettings(config, defaultAgentOf(config)).reach,
      },
      gateway: beside ? { running: true, ...beside.gateway } : { running: false },
      notices: database.state === "open" ? await openNotices(state, say) : [],
      approvals: await countWaiting(state, database),
      secrets: await countSecrets(secrets, say),
      disk: { freeBytes: await freeBytes(home.root).catch(() => null) },
      memory: { unconfirmed: await countUnconfirmed(await examined.workdir(), home.root) },
    };
  } finally {
    await examined.closeDatabase();
  }
}

const mostCounted = 1000;

async function countWaiting(
  state: DatabaseState,
  { state: found }: DatabaseStatus,
): Promise<Status["approvals"]> {
  if (found === "absent") return { questions: 0, turns: 0 };
  if (state.type !== "open" || found === "failed") return null;
  const { approvals, turns } = state.tenant;
  const questions = await approvals.list({ limit: mostCounted, states: ["pending"] });
  const waiting = await turns.list({ limit: mostCounted, states: ["waiting"] });
  return { questions: questions.length, turns: waiting.length };
}

async function countUnconfirmed(workdir: string, closed: string): Promise<number | null> {
  let isWhole = true;
  try {
    const files = createWorkdirFiles({ workdir, closed });
    const lines = await listUnconfirmed(files, () => (isWhole = false));
    return isWhole ? lines.length : null;
  } catch {
    // Why it cannot be looked at is the doctor's to tell; that there is nothing is not known.
    return null;
  }
}

const mostNotices = 20;

async function openNotices(state: DatabaseState, say: Say): Promise<Status["notices"]> {
  if (state.type !== "open") return [];
  const notices = await state.tenant.notices.list({ limit: mostNotices });
  return notices.map((notice) => ({
    id: notice.id,
    text: sayNotice(notice, say),
    createdAt: notice.createdAt,
  }));
}

/** Which model answers, and whether it is one that can think. */
async function nextModel(parts: ReadinessParts): Promise<Status["model"]> {
  const { primary } = parts.config.agents.defaults.model;
  if (primary === undefined) return { reference: "stub/stub", connected: false };
  const connected = await hasCredentialFor(primary, defaultAgentOf(parts.config), parts);
  return { reference: primary, connected, ...(connected ? {} : { wanted: primary }) };
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
