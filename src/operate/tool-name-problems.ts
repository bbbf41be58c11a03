/** Checks a config before use: names in it that no tool has. */
import { problemOf, type Problem } from "../config/loaded-config.ts";
import type { Config } from "../config/schema.ts";
import { showableSegment } from "../config/secret-keys.ts";
import { unknownToolNames } from "../agent/agent-settings.ts";
import { nameTools } from "../agent/name-tools.ts";

export function toolNameProblems(config: Config, file: string): Problem[] {
  return unknownToolNames(config, nameTools(config)).map((name) =>
    problemOf({ severity: "warning", type: "unlisted-value", file }, "tools.unknown-rule", {
      name: showableSegment(name),
    }),
  );
}
