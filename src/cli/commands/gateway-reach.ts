/** `pincer gateway discover|tunnel`: gateways of other machines. */
import type { Command } from "commander";
import { defaultConfig } from "../../config/default-config.ts";
import { printJson, type CommandContext } from "../command.ts";
import { wholeNumber } from "../option-values.ts";
import { plainText } from "../plain-text.ts";
import { table } from "../table.ts";

interface Options {
  json?: boolean;
  seconds?: number;
  port: number;
  localPort?: number;
  sshPort?: number;
  print?: boolean;
}

const usualSeconds = 2;

export function registerReach(gateway: Command, context: CommandContext): void {
  const { say, terminal, signal } = context;

  gateway
    .command("discover")
    .description(say("reach.discover"))
    .option("--seconds <number>", say("reach.discover.seconds"), wholeNumber(say))
    .option("--json", say("help.json"))
    .action(
      context.run(async ({ seconds = usualSeconds, json }: Options) => {
        const { discoverGateways } = await import("../../operate/reach/announce.ts");
        const gateways = await discoverGateways({ forMs: Math.min(seconds, 60) * 1000, signal });
        if (json) return printJson(terminal, { gateways });
        if (gateways.length === 0) return terminal.err(`${say("reach.discover.none")}\n`);
        const rows = gateways.map(({ name, host, port, addresses, version }) => [
          name,
          `http://${host}:${port}`,
          addresses.join(" "),
          version ?? "-",
        ]);
        terminal.out(plainText(table(rows)));
      }),
    );

  gateway
    .command("tunnel")
    .argument("<host>", say("reach.tunnel.host"))
    .description(say("reach.tunnel"))
    .option("--port <number>", say("reach.tunnel.port"), wholeNumber(say), defaultConfig.gateway.port)
    .option("--local-port <number>", say("reach.tunnel.local-port"), wholeNumber(say))
    .option("--ssh-port <number>", say("reach.tunnel.ssh-port"), wholeNumber(say))
    .option("--print", say("reach.tunnel.print"))
    .action(
      context.run(async (host: string, { port, localPort = port, sshPort, print }: Options) => {
        const { runTunnel, tunnelArguments } = await import("../../operate/reach/tunnel.ts");
        const tunnel = { host, port, localPort, sshPort };
        const command = ["ssh", ...tunnelArguments(tunnel)].join(" ");
        if (print) return terminal.out(`${command}\n`);
        const address = `http://127.0.0.1:${localPort}`;
        terminal.err(`${command}\n${say("reach.tunnel.open", { host, address })}\n`);
        await runTunnel(tunnel, signal);
      }),
    );
}
