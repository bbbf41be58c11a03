/** What the gateway says about itself, one line each, secrets taken out. */
import type { ChannelLog } from "@pincer/sdk";
import type { Redactor } from "../../infra/redactor.ts";

export type GatewayLog = ChannelLog;

export interface GatewayLogParts {
  redactor: Redactor;
  /** Writes one line. */
  tell(message: string): void;
}

export function createLog({ redactor, tell }: GatewayLogParts): GatewayLog {
  const say = (message: string) => tell(redactor.text(message));
  return { debug: () => undefined, info: say, warn: say, error: say };
}
