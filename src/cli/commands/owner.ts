/** `pincer owner`: who the owner is on each channel. */
import type { Command } from "commander";
import { failure } from "../../infra/failure.ts";
import { printJson, type CommandContext } from "../command.ts";
import { plainText } from "../plain-text.ts";
import { table } from "../table.ts";
import { withApi } from "./with-api.ts";

interface Options {
  json?: boolean;
}

export function register(program: Command, context: CommandContext): void {
  const { say, terminal } = context;
  const place = { program, context };
  const owner = program.command("owner").description(say("owner.about"));

  owner
    .command("claim")
    .description(say("owner.claim"))
    .option("--json", say("help.json"))
    .action(
      context.run(({ json }: Options) =>
        withApi("owner", place, async ({ api, where }) => {
          const claim = await api.claim({});
          if (json) return printJson(terminal, claim);
          terminal.out(`${claim.code}\n`);
          terminal.err(`${say("owner.claim.how", { until: claim.expiresAt })}\n`);
          if (where === "home") terminal.err(`${say("owner.claim.no-gateway")}\n`);
        }),
      ),
    );

  owner
    .command("list")
    .description(say("owner.list"))
    .option("--json", say("help.json"))
    .action(
      context.run(({ json }: Options) =>
        withApi("owner", place, async ({ api }) => {
          const found = await api.list({});
          if (json) return printJson(terminal, found);
          if (found.owners.length === 0) return terminal.err(`${say("owner.list.none")}\n`);
          const rows = found.owners.map(({ channel, senderId, claimedAt }) => [
            `${channel}:${senderId}`,
            claimedAt ?? say("owner.list.configured"),
          ]);
          terminal.out(plainText(table(rows)));
        }),
      ),
    );

  owner
    .command("remove")
    .argument("<owner>", say("owner.which"))
    .description(say("owner.remove"))
    .option("--json", say("help.json"))
    .action(
      context.run((which: string, { json }: Options) =>
        withApi("owner", place, async ({ api }) => {
          const end = which.indexOf(":");
          if (end < 1 || end === which.length - 1) {
            throw failure("usage/bad-argument", "owner.bad", { owner: which }, { hint: "owner.none.hint" });
          }
          const removed = await api.remove({ channel: which.slice(0, end), senderId: which.slice(end + 1) });
          if (json) return printJson(terminal, removed);
          terminal.err(`${say("owner.removed", { owner: plainText(which) })}\n`);
        }),
      ),
    );
}
