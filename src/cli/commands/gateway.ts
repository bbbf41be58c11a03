/** `pincer gateway`: running the gateway (also as `pincer serve`), looking at it, stopping it. */
import type { GatewayView } from "@pincer/sdk";
import type { Command } from "commander";
import { connectToGateway } from "../../app/desks/connect-to-gateway.ts";
import { failure } from "../../infra/failure.ts";
import { printJson, type CommandContext } from "../command.ts";
import { plainText } from "../plain-text.ts";
import { table } from "../table.ts";
import { register as registerConfig } from "./gateway-config.ts";

interface Options {
  json?: boolean;
  channel?: string[];
  workdir?: string;
  configProfile?: string;
}

export function register(program: Command, context: CommandContext): void {
  const { say, terminal } = context;
  const gateway = program.command("gateway").description(say("gateway.about"));
  const version = () => program.version() ?? "";

  const asRun = (command: Command) =>
    command
      .option("--channel <name>", say("gateway.run.channel"), collect)
      .option("--workdir <dir>", say("ask.workdir"))
      .option("--config-profile <name>", say("ask.config-profile"))
      .action(
        context.run(async ({ channel, workdir, configProfile }: Options) => {
          const { runGateway } = await import("../../app/gateway/run-gateway.ts");
          const tell = (message: string) => terminal.err(`${plainText(message)}\n`);
          const parts = { ...context, version: version(), tell };
          const status = await runGateway(parts, {
            ...(channel ? { channels: channel } : {}),
            ...(workdir === undefined ? {} : { workdir }),
            ...(configProfile === undefined ? {} : { configProfile }),
          });
          // One that had to stop still holds sockets and timers, and may do nothing more with them: the process ends here.
          if (status !== 0) process.exit(status);
        }),
      );
  asRun(gateway.command("run").description(say("gateway.run")));
  asRun(gateway.command("start").description(say("gateway.start")));
  asRun(program.command("serve").description(say("gateway.serve")));

  gateway
    .command("status")
    .description(say("gateway.status"))
    .option("--json", say("help.json"))
    .action(
      context.run(async ({ json }: Options) => {
        const client = await connectToGateway({ ...context, version: version() });
        if (!client) {
          if (json) printJson(terminal, { running: false });
          else terminal.err(`${say("gateway.is-not-running")}\n`);
          return 1;
        }
        try {
          const status = await client.request("gateway.status", {}, { signal: context.signal });
          if (json) printJson(terminal, { running: true, ...status });
          else terminal.out(plainText(render(status, context)));
          return 0;
        } finally {
          client.close();
        }
      }),
    );

  gateway
    .command("stop")
    .description(say("gateway.stop"))
    .option("--json", say("help.json"))
    .action(
      context.run(async ({ json }: Options) => {
        const { stopGateway } = await import("../../app/desks/stop-gateway.ts");
        const stopped = await stopGateway(
          { ...context, version: version() },
          { onStopping: (pid) => json || terminal.err(`${say("gateway.stopping-now", { pid })}\n`) },
        );
        if (stopped.type === "still-running") {
          const { pid, seconds } = stopped;
          throw failure(
            "gateway/running",
            "gateway.still-running",
            { pid, seconds },
            { hint: "gateway.still-running.hint" },
          );
        }
        if (json) return printJson(terminal, { wasRunning: stopped.type === "stopped", running: false });
        terminal.err(
          `${say(stopped.type === "stopped" ? "gateway.has-stopped" : "gateway.is-not-running")}\n`,
        );
      }),
    );

  registerConfig(program, context);
}

const collect = (name: string, names: string[] = []): string[] => [...names, name];

function render(status: GatewayView, { say }: CommandContext): string {
  const channels = status.channels.map(({ channel, accountId, state, since, reason }) => [
    say("gateway.row.channel"),
    [`${channel}:${accountId}`, state, since, reason].filter(Boolean).join("  "),
  ]);
  return `${say("gateway.is-running", { since: status.startedAt, pid: status.pid })}\n${table([
    [say("gateway.row.version"), status.version],
    [say("gateway.row.socket"), status.socket],
    ...(channels.length > 0 ? channels : [[say("gateway.row.channel"), say("gateway.row.no-channels")]]),
    [say("gateway.row.turns"), say("gateway.row.turns.figures", { ...status.turns })],
    [say("gateway.row.outbox"), say("gateway.row.outbox.figures", { ...status.outbox })],
    [say("gateway.row.notices"), say("gateway.row.notices.figures", { ...status.notices })],
  ])}`;
}
