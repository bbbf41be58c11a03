/** A home for trying commands in: what is in it is put there through its stores, and a gateway can run in it. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { startGatewayInHome, type GatewayInHome } from "../../app/testing/gateway-in-home.ts";
import { openHome, type OpenHome } from "../../storage/home/open-home.ts";
import { createRedactor } from "../../infra/redactor.ts";
import { createSay } from "../../infra/texts.ts";
import type { CommandModule } from "../command.ts";
import { runCommand, type FakeTerminal, type RanCommand } from "./fake-terminal.ts";

export interface CommandHome {
  root: string;
  environment: Record<string, string>;
  /** Works in the home's database, which is closed again. Not while a gateway runs. */
  fill<Result>(work: (stores: OpenHome["stores"]) => Promise<Result>): Promise<Result>;
  startGateway(version?: string): Promise<GatewayInHome>;
  run(module: CommandModule, ...args: string[]): Promise<RanCommand>;
  /** The same in Chinese. */
  runInChinese(module: CommandModule, ...args: string[]): Promise<RanCommand>;
  runAt(terminal: FakeTerminal, module: CommandModule, ...args: string[]): Promise<RanCommand>;
  runAtInChinese(terminal: FakeTerminal, module: CommandModule, ...args: string[]): Promise<RanCommand>;
}

export async function createCommandHome(): Promise<CommandHome> {
  const root = await mkdtemp(join(tmpdir(), "pincer-command-"));
  const environment = { HOME: root, PINCER_HOME: join(root, "home") };
  const gateways: GatewayInHome[] = [];
  onTestFinished(async () => {
    for (const gateway of gateways) await gateway.stop();
    await rm(root, { recursive: true, force: true });
  });
  return {
    root,
    environment,
    async fill(work) {
      const parts = {
        environment,
        redactor: createRedactor(),
        say: createSay("en"),
        notify: () => {},
        cwd: root,
      };
      const openedHome = await openHome(parts, {});
      try {
        return await work(openedHome.stores);
      } finally {
        await openedHome.close();
      }
    },
    async startGateway(version) {
      const gateway = await startGatewayInHome(environment, version);
      gateways.push(gateway);
      return gateway;
    },
    run: (module, ...args) => runCommand(module, args, { environment, cwd: root }),
    runInChinese: (module, ...args) =>
      runCommand(module, args, { environment: { ...environment, PINCER_LANG: "zh" }, cwd: root }),
    runAt: (terminal, module, ...args) => runCommand(module, args, { environment, cwd: root, terminal }),
    runAtInChinese: (terminal, module, ...args) =>
      runCommand(module, args, { environment: { ...environment, PINCER_LANG: "zh" }, cwd: root, terminal }),
  };
}
