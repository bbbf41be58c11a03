/** Checks everything that can be wrong with a home, in the order in which things depend on one another. */
import { asPincerError } from "@pincer/sdk";
import { sayError } from "../../infra/failure.ts";
import type { Say } from "../../infra/texts.ts";
import { levelOf, type Check, type Finding, type Level, type Progress } from "./check.ts";
import { checkAudit } from "./checks/audit.ts";
import { checkChannels } from "./checks/channels.ts";
import { checkClock } from "./checks/clock.ts";
import { checkConfig } from "./checks/config.ts";
import { checkCredentials } from "./checks/credentials.ts";
import { checkDatabase } from "./checks/database.ts";
import { checkDirectMessages } from "./checks/direct-messages.ts";
import { checkDisk } from "./checks/disk.ts";
import { checkHome } from "./checks/home.ts";
import { checkLeases } from "./checks/leases.ts";
import { checkLeftovers } from "./checks/leftovers.ts";
import { checkModel } from "./checks/model.ts";
import { checkNode } from "./checks/node.ts";
import { checkPermissions } from "./checks/permissions.ts";
import { checkPort } from "./checks/port.ts";
import { checkPromptFiles } from "./checks/prompt-files.ts";
import { checkReach, createHostProbe } from "./checks/reach.ts";
import { checkRecovery } from "./checks/recovery.ts";
import { checkSandbox } from "./checks/sandbox.ts";
import { checkSecrets } from "./checks/secrets.ts";
import { checkService } from "./checks/service.ts";
import { checkSessions } from "./checks/sessions.ts";
import { checkTranscripts } from "./checks/transcripts.ts";
import { checkWorkdir } from "./checks/workdir.ts";
import { explainFinding } from "./explain-finding.ts";
import { createServiceRecords } from "../service/service-record.ts";
import { examineHome, type ExaminedHome, type ExaminedHomeParts } from "../../storage/home/examine-home.ts";

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
  /** Where a running gateway has its page, with the guides below `/docs`; null where none runs, or it serves no HTTP. */
  page: string | null;
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
      const failed = notFixed.filter(({ id }) => id === check.id).map(({ why }) => unrepaired(why, say));
      reports.push(await reportCheck(check, say, request.signal, failed));
    }
    const ok = reports.every(({ level }) => level !== "problem");
    const page = (await createServiceRecords(examined.home).read())?.address ?? null;
    return { ok, home: examined.home.root, page, fixed, notFixed, checks: reports };
  } finally {
    await examined.closeDatabase();
  }
}

/** Repairs what a gateway that runs need not stop for. Throws only when aborted. */
export async function repairWithoutStop(
  parts: ExaminedHomeParts,
  request: DoctorRequest,
): Promise<Pick<DoctorReport, "fixed" | "notFixed">> {
  const examined = examineHome(parts);
  try {
    await examined.hideSecrets();
    const checks = listChecks(examined, request).filter(({ fixNeedsNoStop }) => fixNeedsNoStop);
    return await fixAll(checks, examined.say, request.signal);
  } finally {
    await examined.closeDatabase();
  }
}

/** What one check finds, explained; `failed` are repairs of it that did not succeed. Throws only when aborted. */
export async function reportCheck(
  check: Check,
  say: Say,
  signal: AbortSignal,
  failed: Finding[] = [],
): Promise<CheckReport> {
  const found = await look(check, say, signal);
  const all = levelOf(found) === "problem" ? found : [...failed, ...found];
  const findings = all.map((finding) => explainFinding(check.id, finding, say));
  return { id: check.id, title: check.title, level: levelOf(findings), findings };
}

function listChecks(examined: ExaminedHome, { signal, onProgress = () => {} }: DoctorRequest): Check[] {
  const probe = createHostProbe(examined);
  return [
    checkNode(examined),
    checkHome(examined),
    checkDisk(examined),
    checkPermissions(examined),
    checkConfig(examined),
    checkSecrets(examined),
    checkCredentials(examined),
    checkDirectMessages(examined),
    checkModel(examined),
    checkReach(examined, probe),
    checkClock(examined, probe),
    checkWorkdir(examined),
    checkSandbox(examined),
    checkPromptFiles(examined),
    checkDatabase(examined),
    checkRecovery(examined),
    checkSessions(examined, onProgress, signal),
    checkTranscripts(examined, onProgress, signal),
    checkLeases(examined),
    checkAudit(examined, signal),
    checkPort(examined),
    checkService(examined),
    checkChannels(examined),
    checkLeftovers(examined),
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

/** If the check finds no problem, the failed repair is one. */
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
