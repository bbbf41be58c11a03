/**
 * `pincer gateway config`: one layer for all channels and one per channel, stored in the config file. The code that
 * reads and changes the config is loaded on use, because every `pincer gateway` registers these commands.
 */
import type { Command } from "commander";
import type { ConfigPath } from "@pincer/sdk";
import type { Setting } from "../../config/store-literals.ts";
import { failure } from "../../infra/failure.ts";
import { printJson, type CommandContext } from "../command.ts";
import { addLayerFlags } from "../layer-flags.ts";
import { table } from "../table.ts";

interface Options {
  json?: boolean;
  channel?: string;
  provider?: string;
  profile?: string;
  withTools?: boolean;
  toolAllow?: string[];
  toolMaxSteps?: number;
  memory?: boolean;
  pairingPolicy?: string;
  pairingAllowFrom?: string[];
  pairingPendingTtlMs?: number;
  pairingPendingMax?: number;
}

export function register(program: Command, context: CommandContext): void {
  const { say, terminal } = context;
  const openApi = async () => {
    const { openConfigApi, ...words } = await import("./config-api.ts");
    return { ...words, ...openConfigApi(context, "user"), ...(await import("../../config/set-config.ts")) };
  };
  const gateway =
    program.commands.find((command) => command.name() === "gateway") ??
    program.command("gateway").description(say("gateway.about"));
  const config = gateway.command("config").description(say("gateway.config"));
  const add = (name: "set" | "show" | "clear") =>
    config
      .command(name)
      .description(say(`gateway.config.${name}`))
      .option("--channel <name>", say("gateway.config.channel"))
      .option("--json", say("help.json"));

  addLayerFlags(add("set").option("--provider <id>", say("gateway.config.provider")), say).action(
    context.run(async (options: Options) => {
      const settings = settingsOf(options);
      const { editor, setConfig, reportChange } = await openApi();
      const { change } = await setConfig(editor, settings);
      await reportChange(context, options, change, { channel: options.channel ?? null });
    }),
  );

  add("show").action(
    context.run(async (options: Options) => {
      const { load, printOnOneLine } = await openApi();
      const { merge } = await import("../../config/config-layers.ts");
      const { maskConfig } = await import("../../config/mask-config.ts");
      const loaded = await load();
      const { default: all, channels } = maskConfig(loaded.config, loaded.secretPaths).gateway;
      const { channel } = options;
      const own = channel !== undefined && Object.hasOwn(channels, channel) ? channels[channel] : {};
      const effective = merge(all, own) as Record<string, unknown>;
      if (options.json)
        return printJson(
          terminal,
          channel === undefined ? { default: all, channels } : { channel, effective },
        );
      terminal.out(table(Object.entries(effective).map(([name, value]) => [name, printOnOneLine(value)])));
      if (channel === undefined)
        for (const [name, layer] of Object.entries(channels))
          terminal.out(`${name}: ${printOnOneLine(layer)}\n`);
    }),
  );

  add("clear").action(
    context.run(async (options: Options) => {
      const { editor, unsetConfig, reportChange } = await openApi();
      const change = await unsetConfig(editor, layerPath(options.channel));
      await reportChange(context, options, change, { channel: options.channel ?? null });
    }),
  );
}

const layerPath = (channel: string | undefined): ConfigPath =>
  channel === undefined ? ["gateway", "default"] : ["gateway", "channels", channel];

function settingsOf(options: Options): Setting[] {
  const { channel, provider } = options;
  if (channel !== undefined && !/^[A-Za-z0-9][A-Za-z0-9_-]*$/.test(channel))
    throw failure("usage/bad-argument", "gateway.config.bad-channel");
  if (channel !== undefined && provider !== undefined) throw refuse("gateway.config.provider-for-all");
  const values: Record<string, unknown> = {
    provider,
    profile: options.profile,
    withTools: options.withTools,
    toolAllow: options.toolAllow,
    toolMaxSteps: options.toolMaxSteps,
    memory: options.memory,
    pairingPolicy: options.pairingPolicy,
    pairingAllowFrom: options.pairingAllowFrom,
    pairingPendingTtlMs: options.pairingPendingTtlMs,
    pairingPendingMax: options.pairingPendingMax,
  };
  const settings = Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ({ path: [...layerPath(channel), name], value }));
  if (settings.length === 0) throw refuse("gateway.config.nothing");
  return settings;
}

const refuse = (key: "gateway.config.provider-for-all" | "gateway.config.nothing") =>
  failure("usage/bad-argument", key, {}, { hint: `${key}.hint` });
