/** `/undo` of somebody who talks at a terminal, through whatever desk is open. */
import type { Say } from "../infra/texts.ts";
import { runUndoCommand } from "../routing/undo-command.ts";
import type { Desk } from "./desks/desk.ts";

/** What is answered. Throws PincerError. Without a session, the main one is meant. */
export function answerUndo(
  words: string,
  { desk, say, session }: { desk: Desk<"undo">; say: Say; session?: string },
): Promise<string> {
  const named = session === undefined ? { session: "main" } : { session };
  const undo = {
    list: async ({ limit }: { limit: number }) => (await desk.list({ ...named, limit })).turns,
    apply: (_session: unknown, { turnId, force }: { turnId?: string | undefined; force: boolean }) =>
      desk.apply({ ...named, force, ...(turnId === undefined ? {} : { turnId }) }),
  };
  const owner = { role: "owner" as const, id: "cli:owner" };
  const place = { sessionKey: "", workspaceId: "", agentId: "", origin: { channel: "cli" }, cwd: "" };
  return runUndoCommand({ say, undo }, { words, prefix: "/" }, { person: owner, session: place, input: "" });
}
