/** Where everything lives: one home directory, `~/.pincer` unless PINCER_HOME moves it. */
import { mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";

export interface Home {
  root: string;
  /** The config people edit. */
  configFile: string;
  /** The last config that was valid. */
  lastGoodFile: string;
  /** Every change of the config, one file each. */
  configHistoryDir: string;
  secretsFile: string;
  secretKeyFile: string;
  /** The one truth. */
  coreDb: string;
  logsDir: string;
  backupsDir: string;
  /** `agents/<agentId>/sessions`: readable copies of the sessions. */
  sessionsDir(agentId: string): string;
  agentsDir: string;
}

export function locateHome(environment: Record<string, string | undefined>): Home {
  const root = resolve(environment["PINCER_HOME"] || join(environment["HOME"] || homedir(), ".pincer"));
  const agentsDir = join(root, "agents");
  return {
    root,
    configFile: join(root, "config.json5"),
    lastGoodFile: join(root, "config.last-good.json5"),
    configHistoryDir: join(root, "config-history"),
    secretsFile: join(root, "secrets.json"),
    secretKeyFile: join(root, "secret.key"),
    coreDb: join(root, "core.db"),
    logsDir: join(root, "logs"),
    backupsDir: join(root, "backups"),
    agentsDir,
    sessionsDir: (agentId) => join(agentsDir, agentId, "sessions"),
  };
}

/** Directories of the home are for their owner alone. Safe to call again. */
export function ensureDir(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
}
