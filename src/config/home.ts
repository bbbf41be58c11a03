/** Where everything lives: one home directory, `~/.pincer` unless PINCER_HOME moves it. */
import { mkdirSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";

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
  /** Rules, people and grants a second time. */
  policyCopyFile: string;
  /** There while the owner has not confirmed what came back after a loss. */
  recoveryFile: string;
  /** What a search looks through; made of the rest, and made again where it is gone. */
  indexDb: string;
  /** Where the optional local embedder is installed. */
  embedderDir: string;
  /** What programs that were started have said, and what became of them; a directory each. */
  programsDir: string;
  /** What turns changed in workdirs, as it was before. */
  snapshotsDir: string;
  /** Copies of workdirs in which dry runs work, until they end. */
  dryRunsDir: string;
  /** Files that came along with messages, by what they hold. */
  mediaDir: string;
  /** Where a running gateway is spoken to. */
  gatewaySocket: string;
  /** Who runs it: worth reading only while the gateway's lock is held. */
  gatewayPidFile: string;
  logsDir: string;
  /** Notes about the audit log that are not in the database: what it had when. */
  auditAnchorsFile: string;
  /** What the gateway says about itself; those put aside have a number after it. */
  gatewayLogFile: string;
  /** What the gateway that runs was started with. */
  serviceFile: string;
  backupsDir: string;
  /** What the summaries of sessions with memory said, a file each. */
  memoryDir: string;
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
    policyCopyFile: join(root, "policy-copy.jsonl"),
    recoveryFile: join(root, "recovery.json"),
    indexDb: join(root, "index.db"),
    embedderDir: join(root, "embedder"),
    programsDir: join(root, "programs"),
    snapshotsDir: join(root, "snapshots"),
    dryRunsDir: join(root, "dry-runs"),
    mediaDir: join(root, "media"),
    gatewaySocket: join(root, "gateway.sock"),
    gatewayPidFile: join(root, "gateway.pid"),
    logsDir: join(root, "logs"),
    auditAnchorsFile: join(root, "audit", "anchors.jsonl"),
    gatewayLogFile: join(root, "logs", "gateway.log"),
    serviceFile: join(root, "service", "gateway-service.json"),
    backupsDir: join(root, "backups"),
    memoryDir: join(root, "memory"),
    agentsDir,
    sessionsDir: (agentId) => join(agentsDir, agentId, "sessions"),
  };
}

/**
 * Directories of the home are for their owner alone. Safe to call again. Throws the system's error. Level by level,
 * since Node's own way of making them all at once never comes back where the system answers ENOENT for ever (/proc).
 */
export function ensureDir(path: string): void {
  const missing: string[] = [];
  for (let at = resolve(path); !isDirectory(at) && at !== dirname(at); at = dirname(at)) missing.unshift(at);
  for (const directory of missing) {
    try {
      mkdirSync(directory, { mode: 0o700 });
    } catch (error) {
      // Somebody else may have been first.
      if ((error as NodeJS.ErrnoException).code !== "EEXIST" || !isDirectory(directory)) throw error;
    }
  }
}

const isDirectory = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
