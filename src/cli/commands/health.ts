/** `pincer health`: one check, one exit status. */
import { asPincerError, type HealthView } from "@pincer/sdk";
import type { Command } from "commander";
import { asSentence, sayError } from "../../infra/failure.ts";
import { printJson, type CommandContext } from "../command.ts";
import { plainText } from "../plain-text.ts";
import { table } from "../table.ts";
import { withApi } from "./with-api.ts";

export function register(program: Command, context: CommandContext): void {
  const { say, terminal } = context;

  async function look(): Promise<HealthView> {
    try {
      return await withApi("health", { program, context }, ({ api, language }) =>
        api.get(language ? { language } : {}),
      );
    } catch (thrown) {
      const error = asPincerError(thrown);
      if (error.domain !== "storage" && error.domain !== "gateway") throw error;
      // A failed check is an answer, too.
      const { message, hint } = sayError(error, say);
      const name = error.domain === "storage" ? "database" : "gateway";
      const reason = [asSentence(message), hint ?? say("health.database.hint")].join(" ");
      const checkedAt = new Date().toISOString();
      return { status: "failing", checkedAt, checks: [{ name, status: "failing", reason }] };
    }
  }

  program
    .command("health")
    .description(say("health.about"))
    .option("--json", say("help.json"))
    .action(
      context.run(async ({ json }: { json?: boolean }) => {
        const health = await look();
        if (json) printJson(terminal, health);
        else {
          const rows = health.checks.map(({ name, status, reason = "" }) => [name, status, reason]);
          terminal.out(plainText(`${health.status}\n${table(rows)}`));
        }
        return health.status === "failing" ? 1 : 0;
      }),
    );
}
