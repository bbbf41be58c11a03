/** Checks whether an address leads to this gateway by calling it: the answer says which gateway it is. */
import { request } from "node:https";

export type Leads = "here" | "elsewhere" | "untrusted" | "unreachable";

/** Never throws. `ca`: the trusted certificate authority; by default the system's. */
export type ProbeAddress = (address: string, gatewayId: string, ca?: string) => Promise<Leads>;

const patienceMs = 4000;
const mostBytes = 4096;
const asked = JSON.stringify({ for: "device" });

export const probeAddress: ProbeAddress = (address, gatewayId, ca) =>
  new Promise((resolve) => {
    const calling = request(
      `${address}/api/sign-in/options`,
      {
        method: "POST",
        headers: { "content-type": "application/json", "content-length": Buffer.byteLength(asked) },
        signal: AbortSignal.timeout(patienceMs),
        agent: false,
        ...(ca === undefined ? {} : { ca }),
      },
      (answer) => {
        const parts: Buffer[] = [];
        let size = 0;
        answer.on("data", (part: Buffer) => {
          size += part.length;
          if (size > mostBytes) calling.destroy();
          else parts.push(part);
        });
        answer.on("end", () => resolve(saysId(Buffer.concat(parts), gatewayId) ? "here" : "elsewhere"));
        answer.on("error", () => resolve("elsewhere"));
      },
    );
    calling.on("error", (error: NodeJS.ErrnoException) =>
      resolve(isAboutCertificate(error.code) ? "untrusted" : "unreachable"),
    );
    calling.end(asked);
  });

function saysId(bytes: Buffer, gatewayId: string): boolean {
  try {
    const said: unknown = JSON.parse(bytes.toString());
    return typeof said === "object" && said !== null && "gatewayId" in said && said.gatewayId === gatewayId;
  } catch {
    return false; // whatever answers there is no gateway
  }
}

const isAboutCertificate = (code: string | undefined): boolean =>
  code !== undefined && /^(?:ERR_TLS|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/.test(code);
