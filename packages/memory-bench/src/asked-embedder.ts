/** The embedder that somebody at a command line asks for: the package on this machine, or what the config says. */
import { failure } from "../../../src/infra/failure.ts";
import type { EmbedderSpec } from "../../../src/memory/embedders/embedder.ts";
import { localPackage } from "../../../src/memory/embedders/local-package.ts";
import { connectToGateway } from "../../../src/gateway/connect-to-gateway.ts";
import type { ApiParts } from "../../../src/app/open-api.ts";
import { openFoundation } from "../../../src/storage/home/foundation.ts";

/** Throws PincerError where it cannot be used. Asks nobody, and sends nothing. */
export async function askedEmbedder(which: "local" | "auto", parts: ApiParts): Promise<EmbedderSpec> {
  return which === "local" ? localEmbedder(parts) : configuredEmbedder(parts);
}

async function localEmbedder(parts: ApiParts): Promise<EmbedderSpec> {
  const { home, loaded } = await openFoundation(parts);
  const directory = home.embedderDir;
  if (!localPackage.installedIn(directory)) {
    const command = localPackage.installCommand(directory);
    throw failure(
      "usage/not-found",
      "memory.bench.no-local",
      { command },
      { hint: "memory.bench.no-local.hint" },
    );
  }
  const { idleSeconds } = loaded.config.agents.defaults.memorySearch.local;
  return { type: "local", directory, idleMs: idleSeconds * 1000 };
}

/** Keys are in the database, which nobody opens beside a gateway. */
async function configuredEmbedder(parts: ApiParts): Promise<EmbedderSpec> {
  const client = await connectToGateway(parts);
  if (client) {
    const { pid } = client.about;
    client.close();
    throw failure("gateway/running", "gateway.in-the-way", { pid }, { hint: "gateway.in-the-way.hint" });
  }
  const [{ openHome }, { openConnectedModels }, { findEmbedder }] = await Promise.all([
    import("../../../src/storage/home/open-home.ts"),
    import("../../../src/agent/models/connected-models.ts"),
    import("../../../src/agent/memory/find-embedder.ts"),
  ]);
  const openedHome = await openHome(parts, {});
  try {
    const config = () => openedHome.config;
    const connected = openConnectedModels({ ...parts, openedHome, config });
    return (await findEmbedder({ ...parts, openedHome, config, connected })).spec;
  } finally {
    await openedHome.close();
  }
}
