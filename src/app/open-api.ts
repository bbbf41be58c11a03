/** Opens an API where the work can be done: in the running gateway, or over the home's own database when none runs. */
import { asPincerError } from "@pincer/sdk";
import { sayError } from "../infra/failure.ts";
import type { Language } from "../infra/texts/table.ts";
import type { OpenHome, OpenHomeOptions, OpenHomeParts } from "../storage/home/open-home.ts";
import { connectToGateway, languageAt, type ConnectToGateway } from "../gateway/connect-to-gateway.ts";
import { controlVerbs } from "../gateway/methods/control-verbs.ts";
import { remoteApi, type Api, type VerbOf } from "../gateway/methods/api.ts";
import type { LocalApis } from "./local-apis.ts";

export interface ApiParts extends OpenHomeParts {
  version: string;
}

/** The two ways in; handed in by tests. */
export interface ApiOpeners {
  connect: ConnectToGateway;
  openHome(parts: OpenHomeParts, options: OpenHomeOptions): Promise<OpenHome>;
}

export interface OpenApi<Family extends string> {
  api: Api<Family>;
  where: "gateway" | "home";
  /** What a gateway must be told, so that it speaks like us. */
  language?: Language;
  /** Safe to call twice. */
  close(): Promise<void>;
}

export type ApiFamily = keyof LocalApis;

export const usualCalls: ApiOpeners = {
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
    const api = remoteApi<Family>(client, family, apiVerbs[family]);
    return { api, where: "gateway", language: languageAt(client, parts), close: async () => client.close() };
  }
  const openedHome = await doors.openHome(parts, {});
  const [
    { createLocalApis },
    { openCommandServices },
    { openEffects },
    { openConnectedModels },
    { openMemory },
  ] = await Promise.all([
    import("./local-apis.ts"),
    import("../gateway/commands/command-services.ts"),
    import("../agent/effects/open-effects.ts"),
    import("../agent/models/connected-models.ts"),
    import("../agent/memory/open-memory.ts"),
  ]);
  const config = () => openedHome.config;
  const connected = openConnectedModels({ ...parts, openedHome, config });
  const onError = (error: unknown) => parts.notify(sayError(asPincerError(error), parts.say).message);
  const memory = openMemory({ ...parts, openedHome, config, connected, onError });
  const effects = openEffects({
    ...parts,
    ...openedHome,
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
    return createEngine({ openedHome, parts, config, connected, memory, effects, conversation });
  };
  const apis = createLocalApis({
    ...parts,
    openedHome,
    config,
    connected,
    memory,
    snapshots: effects.snapshots,
    describeContext: async (request) => (await engine()).describeContext(request),
    explainCall: async (request) => (await engine()).explain(request),
    commandServices: async () =>
      openCommandServices(openedHome, parts, { config, memory, engine: await engine() }),
  });
  const close = async () => {
    await effects.close();
    await memory.close();
    await openedHome.close();
  };
  return { api: apis[family] as unknown as Api<Family>, where: "home", close };
}

/** What each API can do. */
export const apiVerbs: { [Family in ApiFamily]: ReadonlyArray<VerbOf<Family>> } = {
  ...controlVerbs,
  access: ["list", "createToken", "createCode", "revoke", "revokeOthers", "approve", "deny"],
  approvals: ["list", "get", "approve", "deny"],
  audit: ["query", "verify", "export"],
  auth: [
    "status",
    "put",
    "use",
    "logout",
    "order",
    "import",
    "export",
    "test",
    "ways",
    "login",
    "leave",
    "answer",
  ],
  commands: ["list", "run"],
  context: ["show"],
  grants: ["list", "revoke"],
  outbox: ["list", "get", "retry", "drop"],
  deadletters: ["list", "get", "retry", "drop"],
  memory: ["status", "search", "get", "index", "unconfirmed", "confirm", "drop"],
  models: ["list", "providers", "resolve", "status", "test", "refresh"],
  notices: ["list", "dismiss"],
  owner: ["claim", "list", "remove"],
  pairing: ["list", "approve", "revoke", "import", "export"],
  policy: ["explain"],
  rules: ["list", "add", "remove"],
  runs: ["list", "events", "replay"],
  sessions: ["list", "find", "entries", "rename", "delete", "import"],
  setup: ["status", "find", "take", "tryModel", "name", "done"],
  tape: ["info", "anchors", "search", "handoff", "reset"],
  undo: ["list", "show", "apply"],
  usage: ["report", "totals", "daily", "budgets"],
};
