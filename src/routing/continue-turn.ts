/** Going on with a turn that stopped short, for somebody who waits for it. */
import { failure } from "../infra/failure.ts";
import type { TurnRecord, TurnStore } from "../storage/turns/turns.ts";
import { askMessage, keyUsed, personOf, type AskInput, type AskQueueParts } from "./ask-turn.ts";

export interface ContinueInput extends AskInput {
  /** Only this run will do; its session is the one that is meant. */
  runId?: string;
}

export interface ContinueParts extends Omit<AskQueueParts, "turns"> {
  turns: Pick<TurnStore, "resume" | "get">;
}

/**
 * Stores the words together with the turn's return to the queue. The turn keeps the wishes that it was started with, but for those given
 * here. Throws PincerError: `usage/not-found` when there is nothing to go on with, `usage/bad-argument` when the key was used for other words.
 */
export async function queueContinue(
  parts: ContinueParts,
  input: ContinueInput,
): Promise<{ turn: TurnRecord; duplicate: boolean }> {
  const meant = input.runId === undefined ? undefined : await parts.turns.get(input.runId);
  if (input.runId !== undefined && !meant) throw noRun(input.runId);
  const route = parts.route(meant ? { sessionKey: meant.sessionKey } : input);
  await parts.setups.check(route.agentId, input.wishes);
  const message = askMessage(parts, input);
  const outcome = await parts.turns.resume({
    input: message,
    session: { workspaceId: route.scope.workspaceId, sessionKey: route.sessionKey },
    destination: null,
    person: personOf(input),
    options: { ...input.wishes },
    direct: input.direct,
    ...(meant ? { turnId: meant.turnId } : {}),
  });
  switch (outcome.type) {
    case "resumed":
      return { turn: outcome.turn, duplicate: false };
    case "refused":
      throw failure("usage/not-found", refusals[outcome.reason], {}, { hint: "continue.hint" });
    case "settled": {
      const stored = outcome.row.message.message;
      const turn = outcome.turnId === null ? undefined : await parts.turns.get(outcome.turnId);
      if (!turn || stored.type !== "text" || stored.text !== message.message.text)
        throw keyUsed(message.message.id);
      return { turn, duplicate: true };
    }
  }
}

const refusals = {
  nothing: "continue.nothing",
  running: "continue.running",
  waiting: "continue.waiting",
  elsewhere: "continue.elsewhere",
  "not-yours": "continue.not-yours",
} as const;

const noRun = (id: string) => failure("usage/not-found", "runs.none", { id }, { hint: "runs.none.hint" });
