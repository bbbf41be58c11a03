/**
 * The home as maintenance sees it. Looking creates nothing: a missing database is not created. The database is opened
 * once, through the stores, and shared; nothing opens its files in another way.
 */
import { stat } from "node:fs/promises";
import { asPincerError, type ChannelView, type PincerError } from "@pincer/sdk";
import { locateHome, type Home } from "../../config/home.ts";
import { loadConfig } from "../../config/load-config.ts";
import type { LoadedConfig } from "../../config/loaded-config.ts";
import type { Config } from "../../config/schema.ts";
import { openSecrets, type Secrets } from "../../config/secrets.ts";
import { systemClock, type Clock } from "../../infra/clock.ts";
import { createIds } from "../../infra/ids.ts";
import type { Redactor } from "../../infra/redactor.ts";
import type { Say } from "../../infra/texts.ts";
import { openSqliteStores } from "../open-sqlite-stores.ts";
import type { Stores, TenantStores } from "../storage.ts";
import { openAuditSeal } from "../audit/open-audit-seal.ts";
import { locateWorkdir } from "../../config/locate-workdir.ts";
import { finishMending, isBegun } from "./mend-database.ts";
import { noticeLoss } from "./notice-loss.ts";
import { personalTenant } from "./open-home.ts";
import { openSessions, transcriptFile, type OpenSessions } from "./open-sessions.ts";

export interface ExaminedHomeParts {
  environment: Record<string, string | undefined>;
  redactor: Redactor;
  say: Say;
  /** Told which language the config wants. */
  speak?: (language: Config["language"]) => void;
  cwd: string;
  clock?: Clock;
}

export interface OpenDatabase extends OpenSessions {
  type: "open";
  stores: Stores;
  tenant: TenantStores;
}

export type DatabaseState = OpenDatabase | { type: "absent" } | { type: "failed"; error: PincerError };

export interface ExaminedHome {
  home: Home;
  environment: Record<string, string | undefined>;
  say: Say;
  clock: Clock;
  secrets: Secrets;
  /** Tells the redactor what must not be shown. Never throws: what cannot be opened cannot be shown either. */
  hideSecrets(): Promise<void>;
  /** The current config; read again each time, because fixes change it. */
  config(): Promise<LoadedConfig>;
  /** That of the config's defaults, or what an agent's own setting means. */
  workdir(configured?: string): Promise<string>;
  transcriptFile(agentId: string, sessionId: string): string;
  /** Opens it if it exists and is not open yet; never throws. */
  database(): Promise<DatabaseState>;
  /**
   * Opens it, creating it if it is missing. Throws PincerError `storage/…`. What it has lost is noted, unless it was `repaired`: then the
   * repair says what is lost.
   */
  makeDatabase(how?: "found" | "repaired"): Promise<OpenDatabase>;
  /** Closes the database; `database` opens it again. Safe to call twice. */
  closeDatabase(): Promise<void>;
  /** How every account is, where a gateway runs in this process. */
  channels?: (() => Promise<ChannelView[]>) | undefined;
}

export function examineHome(parts: ExaminedHomeParts): ExaminedHome {
  const { environment, redactor, say, cwd, clock = systemClock } = parts;
  const home = locateHome(environment);
  const config = async () => {
    const loaded = await loadConfig({ home, environment });
    parts.speak?.(loaded.config.language);
    return loaded;
  };
  const secrets = openSecrets({ home, environment, clock });
  let opened: OpenDatabase | undefined;

  async function makeDatabase(how: "found" | "repaired" = "found"): Promise<OpenDatabase> {
    if (!opened) await finishMending({ home, clock });
    opened ??= await openDatabase(home, clock, secrets, how);
    return opened;
  }

  return {
    home,
    environment,
    say,
    clock,
    secrets,
    async hideSecrets() {
      try {
        for (const { name, value } of await secrets.values()) redactor.add(name, value);
      } catch {
        // A secret that cannot be opened cannot leak; the check of the secrets says why.
      }
    },
    config,
    async workdir(given) {
      const configured = given ?? (await config()).config.agents.defaults.workspace;
      return locateWorkdir({ flag: undefined, configured, cwd, environment, homeRoot: home.root });
    },
    transcriptFile: (agentId, sessionId) => transcriptFile(home, agentId, sessionId),
    async database() {
      try {
        if (!opened && !isBegun(home) && !(await hasContent(home.coreDb))) return { type: "absent" };
        return await makeDatabase();
      } catch (error) {
        return { type: "failed", error: asPincerError(error) };
      }
    },
    makeDatabase,
    async closeDatabase() {
      const closing = opened;
      opened = undefined;
      await closing?.stores.close();
    },
  };
}

async function openDatabase(
  home: Home,
  clock: Clock,
  secrets: Secrets,
  how: "found" | "repaired",
): Promise<OpenDatabase> {
  const loss = noticeLoss(home, clock);
  const noticing =
    how === "repaired"
      ? { onPolicyBack: loss.onPolicyRepaired }
      : { onNew: loss.onNew, onLogLost: loss.onLogLost, onPolicyBack: loss.onPolicyBack };
  const ids = createIds(clock.now);
  // Looking makes no key, unless there is something that has to be sealed.
  const seal = (isOld: boolean) => openAuditSeal(secrets, isOld ? "make" : "refuse");
  const stores = await openSqliteStores({
    file: home.coreDb,
    clock,
    ids,
    seal,
    policyCopy: home.policyCopyFile,
    ...noticing,
  });
  const tenant = stores.tenant(personalTenant.tenantId);
  try {
    await loss.compare(tenant, undefined);
    if (how !== "found") await tenant.gate.noteLoss(clock.now());
  } catch (error) {
    await stores.close();
    throw error;
  }
  return { type: "open", stores, tenant, ...openSessions({ stores: tenant, home, clock, ids }) };
}

/** An empty file is no database: opening it would make one. */
export async function hasContent(file: string): Promise<boolean> {
  try {
    return (await stat(file)).size > 0;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw error;
  }
}
