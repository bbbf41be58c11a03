/** The doctor beside a running gateway: it uses the gateway's open database, and repairs nothing while one runs. */
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

/** Throws `gateway/running` for a repair beside a gateway, other `gateway/…`, and when aborted. */
export async function consultDoctor(
  parts: ExaminedHomeParts & GatewayDoorParts & { notify(notice: string): void },
  request: DoctorRequest,
  calls: DoctorCalls = usualCalls,
): Promise<DoctorReport> {
  if (request.fix) {
    const { withoutGateway } = await import("../../gateway/gateway-lock.ts");
    const home = locateHome(parts.environment);
    return withoutGateway({ home, clock: systemClock }, () => calls.runDoctor(parts, request));
  }
  const client = await calls.connect(parts);
  if (!client) return calls.runDoctor(parts, request);
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
