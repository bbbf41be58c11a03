/** Opens a desk where the work can be done: in the running gateway, or over the home's own database when none runs. */
import { asPincerError } from "@pincer/sdk";
import { sayError } from "../../infra/failure.ts";
import type { GatewayClient } from "../../client/gateway-client.ts";
import type { Language } from "../../infra/texts/table.ts";
import type { Ground, GroundOptions, GroundParts } from "../open-ground.ts";
import { connectToGateway, languageAt, type GatewayDoorParts } from "./connect-to-gateway.ts";
import { controlVerbs } from "./control-verbs.ts";
import { remoteDesk, type Desk, type VerbOf } from "./desk.ts";
import type { LocalDesks } from "./local-desks.ts";

export interface DeskParts extends GroundParts {
  version: string;
}

/** The two ways in; handed in by tests. */
export interface DeskDoors {
  connect(parts: GatewayDoorParts): Promise<GatewayClient | undefined>;
  openGround(parts: GroundParts, options: GroundOptions): Promise<Ground>;
}

export interface OpenDesk<Family extends string> {
  desk: Desk<Family>;
  where: "gateway" | "home";
  /** What a gateway must be told, so that it speaks like us. */
  language?: Language;
  /** Safe to call twice. */
  close(): Promise<void>;
}

export type DeskFamily = keyof LocalDesks;

export const usualDoors: DeskDoors = {
  connect: connectToGateway,
  // Opening the database takes half of the product; with a gateway a command does without.
  openGround: async (parts, options) => (await import("../open-ground.ts")).openGround(parts, options),
};

/** Throws `gateway/…`, or `storage/…`; nothing stays open then. */
export async function openDesk<Family extends DeskFamily>(
  family: Family,
  parts: DeskParts,
  doors: DeskDoors = usualDoors,
): Promise<OpenDesk<Family>> {
  const client = await doors.connect(parts);
  if (client) {
    const desk = remoteDesk<Family>(client, family, deskVerbs[family]);
    return { desk, where: "gateway", language: languageAt(client, parts), close: async () => client.close() };
  }
  const ground = await doors.openGround(parts, {});
  const [{ createLocalDesks }, { openCommandRoom }, { openHands }, { openConnectedModels }, { openMemory }] =
    await Promise.all([
      import("./local-desks.ts"),
      import("../commands/command-room.ts"),
      import("../hands/open-hands.ts"),
      import("../models/connected-models.ts"),
      import("../memory/open-memory.ts"),
    ]);
  const config = () => ground.config;
  const connected = openConnectedModels({ ...parts, ground, config });
  const onError = (error: unknown) => parts.notify(sayError(asPincerError(error), parts.say).message);
  const memory = openMemory({ ...parts, ground, config, connected, onError });
  const hands = openHands({ ...parts, ...ground, secrets: ground.foundation.secrets, config, onError });
  const engine = async () => {
    const [{ createEngine }, { doorsWithoutGateway }] = await Promise.all([
      import("../turns/engine.ts"),
      import("../conversation/doors-without-gateway.ts"),
    ]);
    const conversation = doorsWithoutGateway(ground, parts, config);
    return createEngine({ ground, parts, config, connected, memory, hands, conversation });
  };
  const desks = createLocalDesks({
    ...parts,
    ground,
    config,
    connected,
    memory,
    snapshots: hands.snapshots,
    describeContext: async (request) => (await engine()).describeContext(request),
    explainCall: async (request) => (await engine()).explain(request),
    commandRoom: async () => openCommandRoom(ground, parts, { config, memory, engine: await engine() }),
  });
  const close = async () => {
    await hands.close();
    await memory.close();
    await ground.close();
  };
  return { desk: desks[family] as unknown as Desk<Family>, where: "home", close };
}

/** What each desk can do. */
export const deskVerbs: { [Family in DeskFamily]: ReadonlyArray<VerbOf<Family>> } = {
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
