/** The tenant itself, its spaces and its agents. */
import { all, change, first, type Database, type Verb } from "./sqlite/database.ts";
import type { DirectoryStore } from "./stores.ts";

type DirectoryRows = Parameters<DirectoryStore["ensure"]>[0];

export function createDirectoryStore({
  database,
  tenantId,
}: {
  database: Database;
  tenantId: string;
}): DirectoryStore {
  return {
    async ensure(rows) {
      await database.write(() => ensure(tenantId, rows), {
        sync: "now",
        unless: () => exist(tenantId, rows),
      });
    },
    listAgents: () => database.read(() => listAgents(tenantId)),
  };
}

function* exist(tenantId: string, { workspace, agent }: DirectoryRows): Verb<true | undefined> {
  const row = yield* first<{ found: number }>(
    `SELECT (SELECT count(*) FROM tenants WHERE id = ?)
      + (SELECT count(*) FROM workspaces WHERE tenant_id = ? AND id = ?)
      + (SELECT count(*) FROM agents WHERE tenant_id = ? AND id = ?) AS found`,
    [tenantId, tenantId, workspace.id, tenantId, agent.id],
  );
  return row?.found === 3 || undefined;
}

function* ensure(tenantId: string, { tenant, workspace, agent }: DirectoryRows): Verb<true> {
  yield* change("INSERT INTO tenants (id, name, plan) VALUES (?, ?, ?) ON CONFLICT DO NOTHING", [
    tenantId,
    tenant.name,
    tenant.plan,
  ]);
  yield* change("INSERT INTO workspaces (id, tenant_id, name) VALUES (?, ?, ?) ON CONFLICT DO NOTHING", [
    workspace.id,
    tenantId,
    workspace.name,
  ]);
  yield* change(
    "INSERT INTO agents (id, tenant_id, workspace_id, name) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
    [agent.id, tenantId, workspace.id, agent.name],
  );
  return true;
}

interface AgentRow {
  id: string;
  workspace_id: string;
  name: string;
  status: string;
}

function* listAgents(tenantId: string): Verb<Awaited<ReturnType<DirectoryStore["listAgents"]>>> {
  const rows = yield* all<AgentRow>(
    "SELECT id, workspace_id, name, status FROM agents WHERE tenant_id = ? ORDER BY id",
    [tenantId],
  );
  return rows.map(({ id, workspace_id, name, status }) => ({ id, workspaceId: workspace_id, name, status }));
}
