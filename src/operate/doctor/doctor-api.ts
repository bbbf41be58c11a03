/** The doctor beside a running gateway: it uses the gateway's open database, and repairs only what the gateway need not stop for. */
import { asPincerError } from "@pincer/sdk";
import { sayError } from "../../infra/failure.ts";
import { locateHome } from "../../config/home.ts";
import { systemClock } from "../../infra/clock.ts";
import type { DoctorReport, DoctorRequest } from "./run-doctor.ts";
import type { ExaminedHomeParts } from "../../storage/home/examine-home.ts";
import {
  connectToGateway,
  languageAt,
  type ConnectToGateway,
  type GatewayDoorParts,
} from "../../gateway/connect-to-gateway.ts";

export interface DoctorCalls {
  connect: ConnectToGateway;
  runDoctor(parts: ExaminedHomeParts, request: DoctorRequest): Promise<DoctorReport>;
}

const usualCalls: DoctorCalls = {
  connect: connectToGateway,
  runDoctor: async (parts, request) => (await import("./run-doctor.ts")).runDoctor(parts, request),
};

/** Beside a gateway, a repair that needs it stopped is named as left. Throws `gateway/…`, and when aborted. */
export async function consultDoctor(
  parts: ConsultParts,
  request: DoctorRequest,
  calls: DoctorCalls = usualCalls,
): Promise<DoctorReport> {
  if (!request.fix)
    return (await lookBesideGateway(parts, request, calls)) ?? calls.runDoctor(parts, request);
  const { withoutGateway } = await import("../../gateway/gateway-lock.ts");
  const home = locateHome(parts.environment);
  try {
    return await withoutGateway({ home, clock: systemClock }, () => calls.runDoctor(parts, request));
  } catch (error) {
    if (asPincerError(error).code !== "gateway/running") throw error;
    return repairBesideGateway(parts, request, calls, error);
  }
}

type ConsultParts = ExaminedHomeParts & GatewayDoorParts & { notify(notice: string): void };

async function repairBesideGateway(
  parts: ConsultParts,
  request: DoctorRequest,
  calls: DoctorCalls,
  inTheWay: unknown,
): Promise<DoctorReport> {
  const { repairWithoutStop } = await import("./run-doctor.ts");
  const { fixed, notFixed } = await repairWithoutStop(parts, request);
  const report = await lookBesideGateway(parts, request, calls);
  if (!report) throw inTheWay;
  const { message, hint } = sayError(asPincerError(inTheWay), parts.say);
  const left = report.checks
    .filter(({ findings }) => findings.some(({ repairable }) => repairable))
    .map(({ id, title }) => ({ id, why: [`${title}:`, message, hint].filter(Boolean).join(" ") }));
  const all = [...notFixed, ...left.filter(({ id }) => notFixed.every((each) => each.id !== id))];
  return { ...report, ok: report.ok && all.length === 0, fixed, notFixed: all };
}

/** Undefined where no gateway runs. */
async function lookBesideGateway(
  parts: ConsultParts,
  request: DoctorRequest,
  calls: DoctorCalls,
): Promise<DoctorReport | undefined> {
  const client = await calls.connect(parts);
  if (!client) return undefined;
  try {
    parts.notify(parts.say("doctor.beside-gateway"));
    const options = {
      signal: request.signal,
      onEvent: (event: string, payload: unknown) => {
        const { title, done, total } = payload as { title: string; done: number; total: number };
        if (event === "doctor.progress") request.onProgress?.(title, done, total);
      },
    };
    const answer = await client.request("doctor.run", { language: languageAt(client, parts) }, options);
    const report = answer as DoctorReport;
    // Which version is installed, only who was just started knows.
    const { checkUpdate } = await import("./checks/update.ts");
    const { reportCheck } = await import("./run-doctor.ts");
    const versions = { runs: client.about.version, here: parts.version };
    const update = await reportCheck(checkUpdate(parts, versions), parts.say, request.signal);
    return { ...report, checks: [...report.checks, update] };
  } finally {
    client.close();
  }
}
