import { connectGateway, type GatewayClient } from "../../client/gateway-client.ts";
import { locateHome } from "../../config/home.ts";
import type { Config } from "../../config/schema.ts";
import { languageOf } from "../../infra/language.ts";
import type { Language } from "../../infra/texts/table.ts";

export interface GatewayDoorParts {
  environment: Record<string, string | undefined>;
  /** Told which language the gateway's config wants. */
  speak?: (language: Config["language"]) => void;
  version: string;
}

const patienceMs = 5000;

/** The gateway of this home, or undefined when none runs. Throws `gateway/unreachable`, `gateway/protocol`. */
export async function connectToGateway(parts: GatewayDoorParts): Promise<GatewayClient | undefined> {
  const { environment, speak, version } = parts;
  const client = await connectGateway({
    socketPath: locateHome(environment).gatewaySocket,
    clientName: "cli",
    version,
    timeoutMs: patienceMs,
  });
  if (client) speak?.(client.about.language);
  return client;
}

/** In which language a gateway is asked to say what people read. */
export const languageAt = (
  { about }: Pick<GatewayClient, "about">,
  { environment }: Pick<GatewayDoorParts, "environment">,
): Language => (about.language === "auto" ? languageOf(environment) : about.language);
