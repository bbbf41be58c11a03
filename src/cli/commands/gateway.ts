/** `pincer gateway`: running the gateway (also as `pincer serve`), showing its status, stopping it. */
import type { GatewayView } from "@pincer/sdk";
import type { Command } from "commander";
import { connectToGateway } from "../../gateway/connect-to-gateway.ts";
import { locateHome } from "../../config/home.ts";
import { failure } from "../../infra/failure.ts";
import { printJson, type CommandContext } from "../command.ts";
import { plainText } from "../plain-text.ts";
import { table } from "../table.ts";
import { register as registerConfig } from "./gateway-config.ts";
import { registerReach } from "./gateway-reach.ts";
import { registerRun } from "./gateway-run.ts";
import { registerService, stillRunning } from "./gateway-service.ts";

interface Options {
  json?: boolean;
  channel?: string;
}

export function register(program: Command, context: CommandContext): void {
  const { say, terminal } = context;
  const gateway = program.command("gateway").description(say("gateway.about"));
  const version = () => program.version() ?? "";
  registerRun(program, gateway, context);

  gateway
    .command("status")
    .description(say("gateway.status"))
    .option("--channel <name>", say("service.status.channel"))
    .option("--json", say("help.json"))
    .action(
      context.run(async ({ json, channel }: Options) => {
        const { serviceFile: statePath, gatewayLogFile: logPath } = locateHome(context.environment);
        const status = await ask(context, version());
        const waiting = status ? undefined : await waitingOne(context);
        const view = status && (channel === undefined ? status : onlyChannel(status, channel));
        if (!view) {
          const state = waiting ? { state: "waiting", pid: waiting.pid } : { state: "stopped" };
          if (json) printJson(terminal, { running: false, ...state, statePath, logPath });
          else if (waiting) terminal.err(`${say("service.waits", { pid: waiting.pid, log: logPath })}\n`);
          else if (status) terminal.err(`${say("service.not-served", { channel: channel ?? "" })}\n`);
          else terminal.err(`${say("gateway.is-not-running")}\n`);
          return 1;
        }
        const paths = { statePath, logPath };
        if (json) printJson(terminal, { running: true, state: "running", ...paths, ...view });
        else terminal.out(plainText(render(view, paths, context)));
        return 0;
      }),
    );

  gateway
    .command("stop")
    .description(say("gateway.stop"))
    .option("--channel <name>", say("service.stop.channel"))
    .option("--json", say("help.json"))
    .action(
      context.run(async ({ json, channel }: Options) => {
        if (channel !== undefined) {
          const status = await ask(context, version());
          if (status && !servesOnly(status, channel)) {
            if (json) printJson(terminal, { wasRunning: false, running: false });
            else terminal.err(`${say("service.not-served", { channel })}\n`);
            return;
          }
        }
        const { endGateway } = await import("../../operate/service/end-gateway.ts");
        const stopped = await endGateway(
          { ...context, version: version() },
          (pid) => json || terminal.err(`${say("gateway.stopping-now", { pid })}\n`),
        );
        if (stopped.type === "still-running") throw stillRunning(stopped);
        if (json) return printJson(terminal, { wasRunning: stopped.type === "stopped", running: false });
        terminal.err(
          `${say(stopped.type === "stopped" ? "gateway.has-stopped" : "gateway.is-not-running")}\n`,
        );
      }),
    );

  registerReach(gateway, context);
  registerService(program, gateway, context);
  registerConfig(program, context);
}

/** Undefined when none serves. */
async function ask(context: CommandContext, version: string): Promise<GatewayView | undefined> {
  const client = await connectToGateway({ ...context, version });
  if (!client) return undefined;
  try {
    return await client.request("gateway.status", {}, { signal: context.signal });
  } finally {
    client.close();
  }
}

/** A process that cannot serve at the moment and tries again; what a dead one left behind is cleared away. */
async function waitingOne({ environment }: CommandContext): Promise<{ pid: number } | undefined> {
  const { createServiceRecords } = await import("../../operate/service/service-record.ts");
  return createServiceRecords(locateHome(environment)).read();
}

function onlyChannel(status: GatewayView, channel: string): GatewayView | undefined {
  const channels = status.channels.filter((each) => each.channel === channel);
  return channels.length > 0 ? { ...status, channels } : undefined;
}

/** False when it does not serve the channel at all. Throws when it serves others, too: they would stop with it. */
function servesOnly({ channels }: GatewayView, channel: string): boolean {
  const names = [...new Set(channels.map((each) => each.channel))];
  if (!names.includes(channel)) return false;
  const others = names.filter((name) => name !== channel);
  if (others.length === 0) return true;
  throw failure(
    "usage/bad-argument",
    "service.serves-others",
    { channel, others: others.join(", ") },
    { hint: "service.serves-others.hint" },
  );
}

function render(
  status: GatewayView,
  { statePath, logPath }: { statePath: string; logPath: string },
  { say }: CommandContext,
): string {
  const channels = status.channels.map(({ channel, accountId, state, since, reason }) => [
    say("gateway.row.channel"),
    [`${channel}:${accountId}`, state, since, reason].filter(Boolean).join("  "),
  ]);
  return `${say("gateway.is-running", { since: status.startedAt, pid: status.pid })}\n${table([
    [say("gateway.row.version"), status.version],
    ...(status.address ? [[say("gateway.row.address"), status.address]] : []),
    [say("gateway.row.socket"), status.socket],
    [say("service.row.state"), statePath],
    [say("service.row.log"), logPath],
    ...(channels.length > 0 ? channels : [[say("gateway.row.channel"), say("gateway.row.no-channels")]]),
    [say("gateway.row.turns"), say("gateway.row.turns.figures", { ...status.turns })],
    [say("gateway.row.outbox"), say("gateway.row.outbox.figures", { ...status.outbox })],
    [say("service.row.approvals"), say("service.row.approvals.figures", { ...status.approvals })],
    [say("gateway.row.notices"), say("gateway.row.notices.figures", { ...status.notices })],
  ])}`;
}
