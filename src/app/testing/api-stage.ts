/**
 * The APIs of one home over stores in memory, called directly or through a gateway's real socket: they must not
 * differ.
 */
import { createHandClock, type HandClock } from "@pincer/sdk/testing";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { connectGateway } from "../../client/gateway-client.ts";
import { defaultConfig } from "../../config/default-config.ts";
import { locateHome } from "../../config/home.ts";
import type { Config } from "../../config/schema.ts";
import { openSecrets } from "../../config/secrets.ts";
import { startTestGateway } from "../../gateway/testing/test-gateway.ts";
import { createIds } from "../../infra/ids.ts";
import { createRedactor } from "../../infra/redactor.ts";
import { createSay } from "../../infra/texts.ts";
import { createSessionMemory } from "../../storage/sessions/session-memory.ts";
import { createAuditAnchors } from "../../storage/audit/audit-anchors.ts";
import { createAuditSeal } from "../../storage/audit/audit-seal.ts";
import { createMemoryStores } from "../../storage/memory-stores.ts";
import type { InboxRow } from "../../storage/inbox/inbox.ts";
import type { OutboxRow } from "../../storage/outbox/outbox.ts";
import type { TurnRecord } from "../../storage/turns/turns.ts";
import type { TenantStores } from "../../storage/storage.ts";
import type { DescribeContext } from "../../agent/context/context-description.ts";
import { openSessions } from "../../storage/home/open-sessions.ts";
import { remoteApi } from "../../gateway/methods/api.ts";
import { noMemory } from "../../memory/following/no-memory.ts";
import { openConnectedModels } from "../../agent/models/connected-models.ts";
import { createLocalApis, type LocalApiParts, type LocalApis } from "../local-apis.ts";
import { apiHandlers } from "../gateway-methods.ts";

export interface ApiStage {
  tenant: TenantStores;
  clock: HandClock;
  apis: LocalApis;
  /** What a gateway was told to act on. */
  changes: { outbox: OutboxRow[]; turns: TurnRecord[]; inbox: InboxRow[] };
}

export type Way = "over the stores" | "through a gateway";
export const ways: Way[] = ["over the stores", "through a gateway"];

export async function createApiStage(
  way: Way,
  config: Partial<Config> = {},
  describeContext?: DescribeContext,
  memory: LocalApiParts["memory"] = noMemory,
  snapshots?: LocalApiParts["snapshots"],
): Promise<ApiStage> {
  const root = await mkdtemp(join(tmpdir(), "pincer-desk-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const clock = createHandClock();
  const ids = createIds(() => clock.now());
  const auditSeal = createAuditSeal(Buffer.alloc(32, 7));
  const stores = createMemoryStores({ clock, ids, seal: auditSeal });
  const tenant = stores.tenant("t_default");
  const home = locateHome({ PINCER_HOME: root });
  const changes: ApiStage["changes"] = { outbox: [], turns: [], inbox: [] };
  const parts: LocalApiParts = {
    openedHome: {
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
    config: () => ({ ...defaultConfig, ...config }),
    say: createSay("en"),
    environment: {},
    redactor: createRedactor(),
    notify: () => {},
    ...(describeContext ? { describeContext } : {}),
    memory,
    snapshots,
    onChange: {
      outbox: (rows) => changes.outbox.push(...rows),
      turn: (turn) => changes.turns.push(turn),
      inbox: (row) => changes.inbox.push(row),
    },
  };
  const { room } = openConnectedModels(parts);
  const apis = createLocalApis({
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
  return { tenant, clock, changes, apis: way === "over the stores" ? apis : await remote(apis) };
}

async function remote(apis: LocalApis): Promise<LocalApis> {
  const { path } = await startTestGateway({ methods: apiHandlers(apis) });
  const client = await connectGateway({
    socketPath: path,
    clientName: "test",
    version: "0.0.0-test",
    timeoutMs: 20_000,
  });
  if (!client) throw new Error("the gateway is not there");
  onTestFinished(() => client.close());
  return Object.fromEntries(
    Object.keys(apis).map((family) => [family, remoteApi(client, family)]),
  ) as unknown as LocalApis;
}
