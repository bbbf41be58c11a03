/** Looks at everything that can be wrong with a home, in the order in which one thing rests on another. */
import { asPincerError } from "@pincer/sdk";
import { sayError } from "../../infra/failure.ts";
import type { Say } from "../../infra/texts.ts";
import { levelOf, type Check, type Finding, type Level, type Progress } from "./check.ts";
import { checkAudit } from "./checks/audit.ts";
import { checkConfig } from "./checks/config.ts";
import { checkDatabase } from "./checks/database.ts";
import { checkDirectMessages } from "./checks/direct-messages.ts";
import { checkDisk } from "./checks/disk.ts";
import { checkHome } from "./checks/home.ts";
import { checkLeases } from "./checks/leases.ts";
import { checkModel } from "./checks/model.ts";
import { checkNode } from "./checks/node.ts";
import { checkPermissions } from "./checks/permissions.ts";
import { checkPromptFiles } from "./checks/prompt-files.ts";
import { checkSandbox } from "./checks/sandbox.ts";
import { checkSecrets } from "./checks/secrets.ts";
import { checkSessions } from "./checks/sessions.ts";
import { checkTranscripts } from "./checks/transcripts.ts";
import { checkWorkdir } from "./checks/workdir.ts";
import { examineHome, type ExaminedHome, type ExaminedHomeParts } from "../home/examine-home.ts";

export interface DoctorRequest {
  fix: boolean;
  signal: AbortSignal;
  onProgress?: Progress;
}

export interface CheckReport {
  id: string;
  title: string;
  level: Level;
  findings: Finding[];
}

export interface DoctorReport {
  /** No problem is left; warnings may be. */
  ok: boolean;
  home: string;
  /** What was repaired, in order. */
  fixed: Array<{ id: string; what: string }>;
  /** What could not be, and why. */
  notFixed: Array<{ id: string; why: string }>;
  checks: CheckReport[];
}

/** Without `fix` nothing of the home's content is changed. With it, what was repaired is checked again. Throws only when aborted. */
export async function runDoctor(
  parts: ExaminedHomeParts,
  request: DoctorRequest,
  /** A gateway hands in its own, with the database that it has open. */
  examined: ExaminedHome = examineHome(parts),
): Promise<DoctorReport> {
  try {
    await examined.hideSecrets();
    const { say } = examined;
    const checks = listChecks(examined, request);
    const { fixed, notFixed } = request.fix
      ? await fixAll(checks, say, request.signal)
      : { fixed: [], notFixed: [] };
    const reports: CheckReport[] = [];
    for (const check of checks) {
      request.signal.throwIfAborted();
      request.onProgress?.(check.title, reports.length, checks.length);
      const found = await look(check, say, request.signal);
      const failed = notFixed.filter(({ id }) => id === check.id).map(({ why }) => unrepaired(why, say));
      const findings = levelOf(found) === "problem" ? found : [...failed, ...found];
      reports.push({ id: check.id, title: check.title, level: levelOf(findings), findings });
    }
    const ok = reports.every(({ level }) => level !== "problem");
    return { ok, home: examined.home.root, fixed, notFixed, checks: reports };
  } finally {
    await examined.closeDatabase();
  }
}

function listChecks(examined: ExaminedHome, { signal, onProgress = () => {} }: DoctorRequest): Check[] {
  return [
    checkNode(examined),
    checkHome(examined),
    checkDisk(examined),
    checkPermissions(examined),
    checkConfig(examined),
    checkSecrets(examined),
    checkDirectMessages(examined),
    checkModel(examined),
    checkWorkdir(examined),
    checkSandbox(examined),
    checkPromptFiles(examined),
    checkDatabase(examined),
    checkSessions(examined, onProgress, signal),
    checkTranscripts(examined, onProgress, signal),
    checkLeases(examined),
    checkAudit(examined, signal),
  ];
}

/** In order, so that what rests on something repaired is repaired on top of it. */
async function fixAll(
  checks: readonly Check[],
  say: Say,
  signal: AbortSignal,
): Promise<Pick<DoctorReport, "fixed" | "notFixed">> {
  const fixed: DoctorReport["fixed"] = [];
  const notFixed: DoctorReport["notFixed"] = [];
  for (const { id, fix } of checks) {
    signal.throwIfAborted();
    try {
      for (const what of (await fix?.()) ?? []) fixed.push({ id, what });
    } catch (error) {
      if (signal.aborted) throw error;
      const { message, hint } = sayError(asPincerError(error), say);
      notFixed.push({ id, why: hint ? `${message} ${hint}` : message });
    }
  }
  return { fixed, notFixed };
}

/** Where the check by itself finds no problem, the repair that failed is one. */
const unrepaired = (why: string, say: Say): Finding => ({
  level: "problem",
  message: say("doctor.not-fixed", { why }),
});

async function look(check: Check, say: Say, signal: AbortSignal): Promise<Finding[]> {
  try {
    return await check.check();
  } catch (error) {
    if (signal.aborted) throw error;
    const { message, hint } = sayError(asPincerError(error), say);
    return [{ level: "problem", message, ...(hint ? { next: hint } : {}) }];
  }
}
