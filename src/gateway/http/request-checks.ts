/** Checks that apply to every request, no matter who sent it: its host name, and which page made a browser send it. */
import type { IncomingMessage } from "node:http";
import type { Config } from "../../config/schema.ts";
import { clientAddress, findOriginFault, type OriginFault } from "../doors/check-origin.ts";
import type { RequestChecks } from "./http-server.ts";

/** `config` is asked each time: what it says now holds now. */
export function createRequestChecks(config: () => Pick<Config, "gateway">): RequestChecks {
  return {
    addressOf: (request) =>
      clientAddress(
        { remoteAddress: request.socket.remoteAddress, headers: request.headers },
        config().gateway.trustedProxies,
      ),
    refusal(request: IncomingMessage, kind) {
      // Of several names nobody knows which one was meant by whom.
      if ((request.headersDistinct["host"]?.length ?? 0) > 1) return words.host;
      const { localAddress, localPort } = request.socket;
      const fault = findOriginFault(
        {
          method: request.method ?? "GET",
          headers: request.headers,
          isUpgrade: kind === "upgrade",
          localAddress,
          localPort,
        },
        config().gateway,
      );
      return fault && words[fault];
    },
  };
}

const words: Record<OriginFault, string> = {
  host: "This gateway does not answer to that name; gateway.allowedHosts lists the names that it does.",
  origin: "Pages of that place may not speak to this gateway; gateway.allowedOrigins lists those that may.",
  "fetch-site": "Another place's page sent this; that is not allowed.",
};
