/** A home in which a model answers: a server of the test's own, and where it is wanted a whole gateway, with turns. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { gatewayParts } from "../../app/testing/gateway-parts.ts";
import { createGateway } from "../../app/create-gateway.ts";
import { createCommandHome, type CommandHome } from "./command-home.ts";
import { startModelServer, type ModelServer } from "./model-server.ts";

/** `primary` is the one of the server's models that answers where a command names none. */
export async function createModelHome(
  primary: "ok" | "held" | "loop",
  more: object = {},
): Promise<{ home: CommandHome; server: ModelServer }> {
  const server = await startModelServer();
  const home = await createCommandHome();
  const models = ["ok", "held", "loop"].map((id) => ({ id }));
  const config = {
    models: { discover: false, providers: { mine: { baseUrl: server.baseUrl, models } } },
    agents: { defaults: { model: { primary: `mine/${primary}` } } },
    ...more,
  };
  await mkdir(home.environment["PINCER_HOME"] ?? "", { mode: 0o700 });
  await writeFile(join(home.root, "home", "config.json5"), JSON.stringify(config), { mode: 0o600 });
  return { home, server };
}

/** It is stopped when the test is over. */
export async function startWholeGateway({ environment, root }: CommandHome): Promise<void> {
  const gateway = await createGateway(gatewayParts(root, { environment, version: "0.0.0-test" }), {});
  onTestFinished(() => gateway.stop(1000));
}
