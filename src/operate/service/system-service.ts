/**
 * The gateway as a system service: a systemd user unit on Linux, a launch agent on macOS. Both start it at login and
 * after a crash.
 */
import { rm } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { replacePrivateFile } from "../../config/write-private-file.ts";
import { isThere } from "../../infra/is-there.ts";
import { failure } from "../../infra/failure.ts";
import { launchAgent, launchLabel } from "./launch-agent.ts";
import type { ProgramOutcome, RunProgram } from "./run-program.ts";
import { systemdUnit, unitName } from "./systemd-unit.ts";

export interface SystemParts {
  platform: NodeJS.Platform;
  environment: Record<string, string | undefined>;
  /** Node and the start-up file, by their full paths. */
  program: { node: string; pincer: string };
  /** Of the current user; needed on macOS. */
  userId: number;
  run: RunProgram;
}

export interface ServiceRequest {
  /** The home that it serves, by its full path. */
  home: string;
  /** The flags of `pincer gateway run`. */
  arguments: readonly string[];
}

export interface InstallPlan {
  file: string;
  content: string;
  /** What is run afterwards, in order. */
  commands: Array<[string, ...string[]]>;
  /** What to run to see how it is doing. */
  look: string;
  /** How to keep it running without a login session; undefined if the system has no such thing. */
  stayOn: string | undefined;
}

/** What an installation would do. Throws `usage/not-found` on a system with neither. */
export function planInstall(parts: SystemParts, request: ServiceRequest): InstallPlan {
  const { platform } = parts;
  if (platform === "linux") {
    return {
      file: unitFile(parts),
      content: systemdUnit({ ...parts.program, ...request }),
      commands: [
        ["systemctl", "--user", "daemon-reload"],
        ["systemctl", "--user", "enable", "--now", unitName],
      ],
      look: `systemctl --user status ${unitName}`,
      stayOn: "loginctl enable-linger",
    };
  }
  if (platform === "darwin") {
    const file = agentFile(parts);
    return {
      file,
      content: launchAgent({ ...parts.program, ...request }),
      commands: [["launchctl", "bootstrap", `gui/${parts.userId}`, file]],
      look: `launchctl print gui/${parts.userId}/${launchLabel}`,
      stayOn: undefined,
    };
  }
  throw failure(
    "usage/not-found",
    "service.no-system",
    { system: platform },
    { hint: "service.no-system.hint" },
  );
}

export type InstallOutcome =
  | { type: "installed" }
  /** The file is written; the system's own program refused or is missing. */
  | { type: "written"; command: string; reason: string };

/** Safe to do again: the file is replaced. Throws what the disk does. */
export async function install(parts: SystemParts, plan: InstallPlan): Promise<InstallOutcome> {
  // launchctl refuses to load what is loaded already.
  if (parts.platform === "darwin") await parts.run("launchctl", unloadAgent(parts));
  await replacePrivateFile(plan.file, plan.content);
  for (const [program, ...args] of plan.commands) {
    const ended = await parts.run(program, args);
    if (!isDone(ended))
      return { type: "written", command: [program, ...args].join(" "), reason: reasonOf(ended) };
  }
  return { type: "installed" };
}

/** False when it was not installed. Stops it, too. Throws what the disk does. */
export async function uninstall(parts: SystemParts): Promise<boolean> {
  const file = parts.platform === "darwin" ? agentFile(parts) : unitFile(parts);
  if (!(await isThere(file))) return false;
  if (parts.platform === "darwin") await parts.run("launchctl", unloadAgent(parts));
  else await parts.run("systemctl", ["--user", "disable", "--now", unitName]);
  await rm(file, { force: true });
  if (parts.platform !== "darwin") await parts.run("systemctl", ["--user", "daemon-reload"]);
  return true;
}

/** False where the system does not do it. Never throws. */
export async function restartUnit(parts: SystemParts): Promise<boolean> {
  if (parts.platform === "linux")
    return isDone(await parts.run("systemctl", ["--user", "--no-block", "restart", unitName]));
  const target = `gui/${parts.userId}/${launchLabel}`;
  return parts.platform === "darwin" && isDone(await parts.run("launchctl", ["kickstart", "-k", target]));
}

/** Whether the system was told to run it, and whether this system can be. Runs nothing. */
export async function installedService(
  parts: Pick<SystemParts, "platform" | "environment">,
): Promise<{ isPossible: boolean; isInstalled: boolean; file: string | null }> {
  const files: Partial<Record<NodeJS.Platform, string>> = {
    linux: unitFile(parts),
    darwin: agentFile(parts),
  };
  const file = files[parts.platform];
  if (file === undefined) return { isPossible: false, isInstalled: false, file: null };
  return { isPossible: true, isInstalled: await isThere(file), file };
}

const isDone = (ended: ProgramOutcome): boolean => ended.type === "ended" && ended.status === 0;

const reasonOf = (ended: ProgramOutcome): string =>
  ended.type === "missing" ? "ENOENT" : ended.said.trim() || `${ended.status}`;

const userHome = ({ environment }: Pick<SystemParts, "environment">): string =>
  environment["HOME"] || homedir();

const unitFile = (parts: Pick<SystemParts, "environment">): string => {
  const config = parts.environment["XDG_CONFIG_HOME"] || join(userHome(parts), ".config");
  return join(config, "systemd", "user", unitName);
};

const agentFile = (parts: Pick<SystemParts, "environment">): string =>
  join(userHome(parts), "Library", "LaunchAgents", `${launchLabel}.plist`);

const unloadAgent = ({ userId }: SystemParts): string[] => ["bootout", `gui/${userId}/${launchLabel}`];
