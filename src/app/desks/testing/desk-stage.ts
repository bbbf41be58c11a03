/** The desks of one home over stores in memory, reached directly or through a gateway's real socket: they must not differ. */
import { createHandClock, type HandClock } from "@pincer/sdk/testing";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { connectGateway } from "../../../client/gateway-client.ts";
import { defaultConfig } from "../../../config/default-config.ts";
import { locateHome } from "../../../config/home.ts";
import type { Config } from "../../../config/schema.ts";
import { openSecrets } from "../../../config/secrets.ts";
import { startTestGateway } from "../../../gateway/testing/test-gateway.ts";
import { createIds } from "../../../infra/ids.ts";
import { createRedactor } from "../../../infra/redactor.ts";
import { createSay } from "../../../infra/texts.ts";
import { createSessionMemory } from "../../../memory/session-memory.ts";
import { createFakeCommandRoom } from "../../../routing/testing/command-room.ts";
import { createAuditAnchors } from "../../../storage/audit-anchors.ts";
import { createAuditSeal } from "../../../storage/audit-seal.ts";
import { createMemoryStores } from "../../../storage/memory-stores.ts";
import type { InboxRow } from "../../../storage/inbox.ts";
import type { OutboxRow } from "../../../storage/outbox.ts";
import type { TurnRecord } from "../../../storage/turns.ts";
import type { TenantStores } from "../../../storage/storage.ts";
import type { DescribeContext } from "../../context/context-description.ts";
import { openSessions } from "../../home/open-sessions.ts";
import { deskHandlers, remoteDesk } from "../desk.ts";
import { noMemory } from "../../memory/no-memory.ts";
import { openConnectedModels } from "../../models/connected-models.ts";
import { createLocalDesks, type LocalDeskParts, type LocalDesks } from "../local-desks.ts";
import { deskVerbs, type DeskFamily } from "../open-desk.ts";

export interface DeskStage {
  tenant: TenantStores;
  clock: HandClock;
  desks: LocalDesks;
  /** What a gateway was told to act on. */
  changes: { outbox: OutboxRow[]; turns: TurnRecord[]; inbox: InboxRow[] };
}

export type Way = "over the stores" | "through a gateway";
export const ways: Way[] = ["over the stores", "through a gateway"];

export async function createDeskStage(
  way: Way,
  config: Partial<Config> = {},
  describeContext?: DescribeContext,
  memory: LocalDeskParts["memory"] = noMemory,
  snapshots?: LocalDeskParts["snapshots"],
): Promise<DeskStage> {
  const root = await mkdtemp(join(tmpdir(), "pincer-desk-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const clock = createHandClock();
  const ids = createIds(() => clock.now());
  const auditSeal = createAuditSeal(Buffer.alloc(32, 7));
  const stores = createMemoryStores({ clock, ids, seal: auditSeal });
  const tenant = stores.tenant("t_default");
  const home = locateHome({ PINCER_HOME: root });
  const changes: DeskStage["changes"] = { outbox: [], turns: [], inbox: [] };
  const parts: LocalDeskParts = {
    ground: {
      stores: tenant,
      clock,
      ids,
      home,
      ...openSessions({ stores: tenant, home, clock, ids }),
      sessionMemory: createSessionMemory({ directory: home.memoryDir }),
      mirror: async () => {},
      tenantId: "t_default",
      workspaceId: "w1",
      defaultAgentId: "main",
      foundation: { secrets: openSecrets({ home, environment: {} }) },
      auditSeal,
      auditAnchors: createAuditAnchors({
        file: home.auditAnchorsFile,
        tenantId: "t_default",
        audit: tenant.audit,
        seal: auditSeal,
        clock,
      }),
    },
    config: () => ({ ...(defaultConfig as Config), ...config }),
    say: createSay("en"),
    environment: {},
    redactor: createRedactor(),
    notify: () => {},
    ...(describeContext ? { describeContext } : {}),
    memory,
    snapshots,
    commandRoom: async () => ({ ...createFakeCommandRoom(), workdirOf: () => root }),
    onChange: {
      outbox: (rows) => changes.outbox.push(...rows),
      turn: (turn) => changes.turns.push(turn),
      inbox: (row) => changes.inbox.push(row),
    },
  };
  const { room } = openConnectedModels(parts);
  const desks = createLocalDesks({
    ...parts,
    connected: {
      room: async () => ({
        ...(await room()),
        testCredential: async ({ id, provider }) => ({
          outcome: id === "bad" ? "refused" : id === "dark" ? "unclear" : "works",
          detail: `asked ${provider}`,
        }),
      }),
    },
  });
  return { tenant, clock, changes, desks: way === "over the stores" ? desks : await remote(desks) };
}

async function remote(desks: LocalDesks): Promise<LocalDesks> {
  const families = Object.keys(deskVerbs) as DeskFamily[];
  const methods = Object.assign(
    {},
    ...families.map((family) => deskHandlers(family, desks[family] as never)),
  );
  const { path } = await startTestGateway({ methods });
  const client = await connectGateway({
    socketPath: path,
    clientName: "test",
    version: "0.0.0-test",
    timeoutMs: 20_000,
  });
  if (!client) throw new Error("the gateway is not there");
  onTestFinished(() => client.close());
  return Object.fromEntries(
    families.map((family) => [family, remoteDesk(client, family, deskVerbs[family] as never)]),
  ) as unknown as LocalDesks;
}
