/** Opens an API where the work can be done: in the running gateway, or on the home's own database if none runs. */
import { asPincerError } from "@pincer/sdk";
import { locateHome } from "../config/home.ts";
import { failure, sayError } from "../infra/failure.ts";
import type { OpenHome, OpenHomeOptions, OpenHomeParts } from "../storage/home/open-home.ts";
import { connectToGateway, languageAt, type ConnectToGateway } from "../gateway/connect-to-gateway.ts";
import { remoteApi, type Api, type OpenApi } from "../gateway/methods/api.ts";
import type { LocalApis } from "./local-apis.ts";

export interface ApiParts extends OpenHomeParts {
  version: string;
}

/** The two ways in; handed in by tests. */
export interface ApiOpeners {
  connect: ConnectToGateway;
  openHome(parts: OpenHomeParts, options: OpenHomeOptions): Promise<OpenHome>;
}

export type ApiFamily = keyof LocalApis;

const usualCalls: ApiOpeners = {
  connect: connectToGateway,
  // Opening the database takes half of the product; with a gateway a command does without.
  openHome: async (parts, options) => (await import("../storage/home/open-home.ts")).openHome(parts, options),
};

/** Throws `gateway/…`, or `storage/…`; nothing stays open then. */
export async function openApi<Family extends ApiFamily>(
  family: Family,
  parts: ApiParts,
  doors: ApiOpeners = usualCalls,
): Promise<OpenApi<Family>> {
  const client = await doors.connect(parts);
  if (client) {
    const api = remoteApi(client, family);
    return { api, where: "gateway", language: languageAt(client, parts), close: async () => client.close() };
  }
  // Health only looks: where the drive of the home is not mounted, it must not make another one in its place.
  if (family === "health") await requireHome(parts);
  const openedHome = await doors.openHome(parts, {});
  const [{ createLocalApis }, { openLabels }, { openEffects }, { openConnectedModels }, { openMemory }] =
    await Promise.all([
      import("./local-apis.ts"),
      import("../gate/labels/open-labels.ts"),
      import("../agent/effects/open-effects.ts"),
      import("../agent/models/connected-models.ts"),
      import("../agent/memory/open-memory.ts"),
    ]);
  const config = () => openedHome.config;
  const connected = openConnectedModels({ ...parts, openedHome, config });
  const onError = (error: unknown) => parts.notify(sayError(asPincerError(error), parts.say).message);
  const memory = openMemory({ ...parts, openedHome, config, connected, onError });
  const labels = openLabels(openedHome);
  const effects = openEffects({
    ...parts,
    ...openedHome,
    spans: labels.spans,
    secrets: openedHome.foundation.secrets,
    config,
    onError,
  });
  const engine = async () => {
    const [{ createEngine }, { accessWithoutGateway }] = await Promise.all([
      import("../routing/engine.ts"),
      import("../channels/conversation/access-without-gateway.ts"),
    ]);
    const conversation = accessWithoutGateway(openedHome, parts, config);
    return createEngine({ openedHome, parts, config, connected, memory, effects, labels, conversation });
  };
  const apis = createLocalApis({
    ...parts,
    openedHome,
    config,
    connected,
    memory,
    snapshots: effects.snapshots,
    labels,
    describeContext: async (request) => (await engine()).describeContext(request),
    explainCall: async (request) => (await engine()).explain(request),
  });
  const close = async () => {
    await effects.close();
    await memory.close();
    await openedHome.close();
  };
  return { api: apis[family] as unknown as Api<Family>, where: "home", close };
}

async function requireHome({ environment }: Pick<ApiParts, "environment">): Promise<void> {
  const home = locateHome(environment);
  const { hasContent } = await import("../storage/home/examine-home.ts");
  if (await hasContent(home.coreDb)) return;
  const hint = "failure.no-database.hint";
  throw failure("storage/unavailable", "failure.no-database", { home: home.root }, { hint });
}
