/** The tenant itself, its spaces and its agents. */
import { isDeepStrictEqual } from "node:util";
import { all, change, first, type Database, type Verb } from "./sqlite/database.ts";
import type { AgentPolicy, DirectoryStore } from "./stores.ts";

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
    async keepAgents(workspaceId, agents) {
      await database.write(() => keepAgents(tenantId, workspaceId, agents), {
        sync: "later",
        unless: () => areKept(tenantId, workspaceId, agents),
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

function* keepAgents(tenantId: string, workspaceId: string, agents: readonly AgentPolicy[]): Verb<true> {
  yield* change("UPDATE agents SET status = 'removed' WHERE tenant_id = ? AND workspace_id = ?", [
    tenantId,
    workspaceId,
  ]);
  for (const { id, name, modelPolicy, toolPolicy } of agents)
    yield* change(
      `INSERT INTO agents (id, tenant_id, workspace_id, name, model_policy_json, tool_policy_json) VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT (tenant_id, id) DO UPDATE SET workspace_id = excluded.workspace_id, name = excluded.name,
        model_policy_json = excluded.model_policy_json, tool_policy_json = excluded.tool_policy_json, status = 'active'`,
      [id, tenantId, workspaceId, name, JSON.stringify(modelPolicy), JSON.stringify(toolPolicy)],
    );
  return true;
}

function* areKept(
  tenantId: string,
  workspaceId: string,
  agents: readonly AgentPolicy[],
): Verb<true | undefined> {
  const rows = (yield* listAgents(tenantId)).filter((row) => row.workspaceId === workspaceId);
  const isKept = ({ id, name, modelPolicy, toolPolicy }: AgentPolicy) =>
    rows.some((row) =>
      isDeepStrictEqual(row, { id, name, modelPolicy, toolPolicy, workspaceId, status: "active" }),
    );
  const active = rows.filter(({ status }) => status === "active");
  return (active.length === agents.length && agents.every(isKept)) || undefined;
}

interface AgentRow {
  id: string;
  workspace_id: string;
  name: string;
  model_policy_json: string;
  tool_policy_json: string;
  status: "active" | "removed";
}

function* listAgents(tenantId: string): Verb<Awaited<ReturnType<DirectoryStore["listAgents"]>>> {
  const rows = yield* all<AgentRow>(
    `SELECT id, workspace_id, name, model_policy_json, tool_policy_json, status FROM agents
    WHERE tenant_id = ? ORDER BY id`,
    [tenantId],
  );
  return rows.map(({ id, workspace_id, name, model_policy_json, tool_policy_json, status }) => ({
    id,
    workspaceId: workspace_id,
    name,
    modelPolicy: JSON.parse(model_policy_json) as AgentPolicy["modelPolicy"],
    toolPolicy: JSON.parse(tool_policy_json) as AgentPolicy["toolPolicy"],
    status,
  }));
}
