import { createServiceRecords, type ServiceRecord } from "../../service/service-record.ts";
import { installedService } from "../../service/system-service.ts";
import type { ExaminedHome } from "../../../storage/home/examine-home.ts";
import type { Check } from "../check.ts";

/** Whether a gateway that was installed as a service really runs. */
export function checkService(
  { home, say, environment }: ExaminedHome,
  {
    platform = process.platform,
    running = createServiceRecords(home).read,
  }: { platform?: NodeJS.Platform; running?: () => Promise<Pick<ServiceRecord, "pid"> | undefined> } = {},
): Check {
  return {
    id: "service",
    title: say("doctor.service"),
    async check() {
      const { isInstalled, file } = await installedService({ platform, environment });
      const record = await running();
      if (record) return [{ level: "ok", message: say("doctor.service.runs", { pid: record.pid }) }];
      if (!isInstalled) return [{ level: "ok", message: say("doctor.service.none") }];
      const message = say("doctor.service.stopped", { file: file ?? "" });
      const next = say(platform === "darwin" ? "doctor.service.next.launchd" : "doctor.service.next.systemd");
      return [{ level: "problem", message, next }];
    },
  };
}
