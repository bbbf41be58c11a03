/** The flags for settings of one channel or all channels about turns and pairing. */
import { Option, type Command } from "commander";
import type { Say } from "../infra/texts.ts";
import { commaList, wholeNumber } from "./option-values.ts";

export const addLayerFlags = (command: Command, say: Say): Command =>
  command
    .option("--profile <name>", say("gateway.config.profile"))
    .option("--with-tools", say("gateway.config.with-tools"))
    .option("--no-with-tools", say("gateway.config.no-with-tools"))
    .option("--tool-allow <tools>", say("gateway.config.tool-allow"), commaList)
    .option("--tool-max-steps <n>", say("gateway.config.tool-max-steps"), wholeNumber(say))
    .option("--memory", say("gateway.config.memory"))
    .option("--no-memory", say("gateway.config.no-memory"))
    .addOption(
      new Option("--pairing-policy <policy>", say("gateway.config.pairing-policy")).choices([
        "open",
        "allowlist",
        "pairing",
        "disabled",
      ]),
    )
    .option("--pairing-allow-from <ids>", say("gateway.config.pairing-allow-from"), commaList)
    .option("--pairing-pending-ttl-ms <ms>", say("gateway.config.pairing-pending-ttl-ms"), wholeNumber(say))
    .option("--pairing-pending-max <n>", say("gateway.config.pairing-pending-max"), wholeNumber(say));
