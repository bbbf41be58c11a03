/** `pincer channels`: the accounts, and whether messages really arrive and leave. */
import type { ChannelView } from "@pincer/sdk";
import type { Command } from "commander";
import type { Say } from "../../infra/texts.ts";
import { printJson, type CommandContext } from "../command.ts";
import { plainText } from "../plain-text.ts";
import { table } from "../table.ts";
import { withApi } from "./with-api.ts";
import { registerChannelSetup } from "./channels-add.ts";

interface Options {
  json?: boolean;
  channel?: string;
  account?: string;
  probe?: boolean;
}

export function register(program: Command, context: CommandContext): void {
  const { say, terminal } = context;
  const place = { program, context };
  const channels = program.command("channels").description(say("channels.about"));

  channels
    .command("list")
    .description(say("channels.list"))
    .option("--json", say("help.json"))
    .action(
      context.run(({ json }: Options) =>
        withApi("channels", place, async ({ api, language }) => {
          const found = await api.list(language ? { language } : {});
          if (json) return printJson(terminal, found);
          if (found.channels.length === 0) return terminal.err(`${say("channels.empty")}\n`);
          const rows = found.channels.map((each) => [nameOf(each), stateOf(each, say), each.reason ?? ""]);
          terminal.out(plainText(table(rows)));
        }),
      ),
    );

  channels
    .command("status")
    .description(say("channels.status"))
    .option("--channel <name>", say("channels.name"))
    .option("--account <id>", say("message.account"))
    .option("--probe", say("channels.probe"))
    .option("--json", say("help.json"))
    .action(
      context.run(({ json, channel, account, probe }: Options) =>
        withApi("channels", place, async ({ api, language }) => {
          const found = await api.status({
            ...(channel === undefined ? {} : { channel }),
            ...(account === undefined ? {} : { accountId: account }),
            ...(probe ? { probe } : {}),
            ...(language ? { language } : {}),
          });
          if (json) printJson(terminal, found);
          else if (found.channels.length === 0) terminal.err(`${say("channels.empty")}\n`);
          else terminal.out(plainText(table(found.channels.map((each) => renderChannel(each, say)))));
          return found.channels.some(isBad) ? 1 : 0;
        }),
      ),
    );

  registerChannelSetup(channels, place);
}

/** Enabled and not working. Without a measurement its state decides. */
const isBad = ({ enabled = true, health, state }: ChannelView): boolean =>
  enabled && (health === undefined ? state === "broken" || state === "stopped" : health === "red");

export function renderChannel(view: ChannelView, say: Say): string[] {
  const { lastInboundAt, lastDeliveryAt, backlog, reason } = view;
  const facts = [
    lastInboundAt ? say("channels.last-inbound", { time: lastInboundAt }) : "",
    lastDeliveryAt ? say("channels.last-delivery", { time: lastDeliveryAt }) : "",
    backlog ? say("channels.backlog", { count: backlog }) : "",
    reason ?? "",
  ];
  return [
    nameOf(view),
    stateOf(view, say),
    say("channels.since", { time: view.since }),
    facts.filter(Boolean).join("; "),
  ];
}

const nameOf = ({ channel, accountId }: ChannelView): string =>
  accountId === "default" ? channel : `${channel}/${accountId}`;

function stateOf({ enabled = true, health, state }: ChannelView, say: Say): string {
  if (!enabled) return say("channels.off");
  const now = isState(state) ? say(`channels.state.${state}`) : state;
  return health === undefined ? now : `${say(`channels.health.${health}`)}, ${now}`;
}

/** A newer gateway may know others. */
const isState = (state: string): state is (typeof states)[number] => states.some((known) => known === state);

const states = ["connecting", "connected", "waiting", "stopped", "broken"] as const;
