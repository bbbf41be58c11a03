/** Drops what a session has said and nobody has seen yet: a stop means that, too. */
import type { OutboxStore } from "../storage/outbox/outbox.ts";
import type { TurnRecord } from "../storage/turns/turns.ts";

const pageSize = 500;

/** With `conversation`, of that one alone. Answers how many were dropped. Throws what the storage does; safe to repeat. */
export async function dropQueued(
  parts: {
    outbox: Pick<OutboxStore, "list" | "drop">;
    turns: { get(turnId: string): Promise<Pick<TurnRecord, "workspaceId" | "sessionKey"> | undefined> };
  },
  session: { workspaceId: string; sessionKey: string },
  conversation?: string,
): Promise<number> {
  const meant = new Map<string, Promise<boolean>>();
  const isMeant = async (turnId: string): Promise<boolean> => {
    const turn = await parts.turns.get(turnId);
    return turn?.workspaceId === session.workspaceId && turn.sessionKey === session.sessionKey;
  };
  let dropped = 0;
  let before: number | undefined;
  for (;;) {
    const page = await parts.outbox.list({
      limit: pageSize,
      states: ["queued"],
      ...(before !== undefined && { before }),
    });
    for (const { id, kind, turnId, isOpen, conversation: place } of page) {
      if (kind !== "reply" || isOpen || turnId === null) continue;
      if (conversation !== undefined && place !== conversation) continue;
      const asked = meant.get(turnId) ?? isMeant(turnId);
      meant.set(turnId, asked);
      if ((await asked) && (await parts.outbox.drop(id))) dropped++;
    }
    before = page.at(-1)?.position;
    if (page.length < pageSize) return dropped;
  }
}
