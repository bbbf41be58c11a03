/** The parts of a gateway in a test: its home, English texts, and no listeners. */
import { createRedactor } from "../../infra/redactor.ts";
import { createSay } from "../../infra/texts.ts";
import type { GatewayParts } from "../gateway.ts";

export const gatewayParts = (home: string, given: Partial<GatewayParts> = {}): GatewayParts => ({
  environment: { PINCER_HOME: home },
  redactor: createRedactor(),
  say: createSay("en"),
  notify: () => {},
  tell: () => {},
  cwd: home,
  version: "test",
  ...given,
});
