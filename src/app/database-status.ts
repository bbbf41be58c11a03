/** How the database is doing, for those who want to know at a glance. */
import type { ErrorCode } from "@pincer/sdk";
import type { DatabaseState } from "./home/examine-home.ts";

export type DatabaseStatus =
  | {
      state: "open";
      file: string;
      sizeBytes: number;
      schemaVersion: number;
      sessions: number;
      entries: number;
    }
  | { state: "absent"; file: string }
  | { state: "failed"; file: string; code: ErrorCode; error: string; hint: string | null };

/** With the agents that the database knows. Never throws for what is wrong with it. */
export async function describeDatabase(
  file: string,
  state: DatabaseState,
): Promise<{ database: DatabaseStatus; agentIds: string[] }> {
  if (state.type === "absent") return { database: { state: "absent", file }, agentIds: [] };
  if (state.type === "failed") {
    const { code, message, hint } = state.error;
    return { database: failed(file, code, message, hint), agentIds: [] };
  }
  const { ok, problems, sizeBytes, schemaVersion, sessions, entries } = await state.stores.health("quick");
  const [problem] = problems;
  if (!ok) {
    const error = problems.map(({ message }) => message).join("; ");
    return { database: failed(file, problem?.code ?? "storage/failed", error), agentIds: [] };
  }
  const agents = await state.tenant.directory.listAgents();
  return {
    database: { state: "open", file, sizeBytes, schemaVersion, sessions, entries },
    agentIds: agents.map(({ id }) => id),
  };
}

const failed = (
  file: string,
  code: ErrorCode,
  error: string,
  hint = "Run `pincer doctor`.",
): DatabaseStatus => ({
  state: "failed",
  file,
  code,
  error,
  hint,
});
