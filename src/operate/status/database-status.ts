/** The state of the database, at a glance. */
import type { ErrorCode } from "@pincer/sdk";
import { sayError } from "../../infra/failure.ts";
import type { Say } from "../../infra/texts.ts";
import type { DatabaseState } from "../../storage/home/examine-home.ts";

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
  say: Say,
): Promise<{ database: DatabaseStatus; agentIds: string[] }> {
  if (state.type === "absent") return { database: { state: "absent", file }, agentIds: [] };
  if (state.type === "failed") {
    const { message, hint } = sayError(state.error, say);
    return { database: failed(file, state.error.code, message, hint, say), agentIds: [] };
  }
  const { ok, problems, sizeBytes, schemaVersion, sessions, entries } = await state.stores.health("quick");
  const [problem] = problems;
  if (!ok) {
    const error = problems.map((each) => sayError(each, say).message).join("; ");
    return { database: failed(file, problem?.code ?? "storage/failed", error, undefined, say), agentIds: [] };
  }
  const agents = await state.tenant.directory.listAgents();
  return {
    database: { state: "open", file, sizeBytes, schemaVersion, sessions, entries },
    agentIds: agents.filter(({ status }) => status === "active").map(({ id }) => id),
  };
}

const failed = (
  file: string,
  code: ErrorCode,
  error: string,
  hint: string | undefined,
  say: Say,
): DatabaseStatus => ({
  state: "failed",
  file,
  code,
  error,
  hint: hint ?? say("status.database.next"),
});
