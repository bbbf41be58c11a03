/** Follows the config file of a running gateway. */
import { asPincerError } from "@pincer/sdk";
import { sayProblem, type Problem } from "../config/loaded-config.ts";
import type { Config } from "../config/schema.ts";
import type { Secrets } from "../config/secrets.ts";
import type { Redactor } from "../infra/redactor.ts";
import { hideSecretsOf } from "../storage/home/foundation.ts";
import type { OpenHome, OpenHomeParts } from "../storage/home/open-home.ts";
import type { GatewayLog } from "./logs/gateway-log.ts";

export interface ConfigFollower {
  /** Takes the file up now; resolves when it is in force, or to the problems for which it was refused. */
  reload(): Promise<Problem[]>;
  /** Resolves when a change that is being taken up is in force. Safe to call twice. */
  close(): Promise<void>;
}

/** Hands over each new config while the gateway runs, one after the other, each when its secrets can no longer be told. */
export async function followConfig(
  openedHome: OpenHome,
  parts: OpenHomeParts,
  log: GatewayLog,
  /** Resolves when it is in force. Must not throw. */
  apply: (config: Config) => Promise<void>,
): Promise<ConfigFollower> {
  const { watchConfig } = await import("../config/watch-config.ts");
  const { request, loaded, secrets } = openedHome.foundation;
  let applying: Promise<void> = Promise.resolve();
  const watch = await watchConfig({
    request,
    loaded,
    clock: openedHome.clock,
    onEvent(event) {
      if (event.type === "rejected") {
        const problem = event.problems.map((each) => sayProblem(each, parts.say)).join("; ");
        return log.warn(parts.say("chat.config-rejected", { problem }));
      }
      const hiding = [hideStored(secrets, parts.redactor), hideSecretsOf(event.loaded, parts.redactor)];
      const paths = event.changes.map(({ path }) => path).join(", ");
      applying = Promise.all([...hiding, applying])
        .then(async () => {
          await apply(event.loaded.config);
          parts.speak?.(event.loaded.config.language);
          log.info(parts.say("gateway.config-applied", { paths }));
        })
        .catch((error: unknown) => log.error(asPincerError(error).message));
    },
  });
  return {
    async reload() {
      const problems = await watch.reload();
      await applying;
      return problems;
    },
    async close() {
      await watch.close();
      await applying;
    },
  };
}

/** A secret may have been stored since the start, and the new config may use it. */
async function hideStored(secrets: Pick<Secrets, "values">, redactor: Pick<Redactor, "add">): Promise<void> {
  // Locked: then no account can use it either, and says so.
  const stored = await secrets.values().catch(() => []);
  for (const { name, value } of stored) redactor.add(name, value);
}
