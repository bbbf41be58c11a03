import { createServer } from "node:net";
import { createServiceRecords, type ServiceRecord } from "../../service/service-record.ts";
import type { ExaminedHome } from "../../../storage/home/examine-home.ts";
import type { Check } from "../check.ts";

/** Whether the gateway would get its port: looked at only where none of this home runs. */
export function checkPort(
  { home, say, config }: ExaminedHome,
  running: () => Promise<ServiceRecord | undefined> = createServiceRecords(home).read,
): Check {
  return {
    id: "port",
    title: say("doctor.port"),
    async check() {
      const { http, port } = (await config()).config.gateway;
      const record = await running();
      if (record) return [{ level: "ok", message: say("doctor.port.own", { port: record.port ?? "–" }) }];
      if (!http || port === 0) return [{ level: "ok", message: say("doctor.port.any") }];
      const code = await whyNot(port);
      if (code === undefined) return [{ level: "ok", message: say("doctor.port.free", { port }) }];
      const message = say(code === "EADDRINUSE" ? "doctor.port.taken" : "doctor.port.refused", {
        port,
        reason: code,
      });
      return [
        {
          level: "warning",
          message,
          next: say("doctor.port.next"),
          place: { file: home.configFile, key: "gateway.port" },
        },
      ];
    },
  };
}

/** Taken for a moment, and given back. */
const whyNot = (port: number): Promise<string | undefined> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ port, host: "127.0.0.1", exclusive: true }, () => server.close(() => resolve(undefined)));
  });
