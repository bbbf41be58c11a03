/** Approvals for chat commands: waiting requests, without secrets, and answering them. */
import type { Redactor } from "../../infra/redactor.ts";
import type { Afterwards } from "../../routing/approval-commands.ts";
import type { CommandServices } from "../../routing/router.ts";
import type { ApprovalStore } from "../../storage/approvals/approvals.ts";
import { createProcessLiveness, type ProcessLiveness } from "../../storage/sessions/process-liveness.ts";
import { sessionLeaseName } from "../../storage/sessions/session-lease.ts";
import type { LeaseStore } from "../../storage/stores.ts";
import type { TurnStore } from "../../storage/turns/turns.ts";
import { placeOfQuestion, type ApprovalTellingParts } from "../../channels/tell-approval.ts";
import type { AnswerApproval } from "../methods/approvals-api.ts";

const mostListed = 50;

interface RunPlace {
  turns: Pick<TurnStore, "get">;
  leases: Pick<LeaseStore, "find">;
}

/** Where no gateway runs: whether nobody can go on with what was approved, since the command that ran it has ended. Throws what the storage does. */
export async function isRunOver(
  { turns, leases }: RunPlace,
  turnId: string,
  { isAlive }: Pick<ProcessLiveness, "isAlive"> = createProcessLiveness(),
): Promise<boolean> {
  const turn = await turns.get(turnId);
  if (!turn || turn.endedAt !== null) return true;
  if (!turn.direct) return false;
  const lease = await leases.find(sessionLeaseName(turn));
  return !lease || !isAlive(lease.holder);
}

export function createChatApprovals(
  parts: RunPlace & {
    approvals: Pick<ApprovalStore, "list">;
    /** Nobody goes on with a turn that was answered. */
    isAlone: boolean;
    isToldElsewhere: ApprovalTellingParts["isToldElsewhere"];
    answer: AnswerApproval;
    redactor: Pick<Redactor, "values">;
  },
): CommandServices["approvals"] {
  const { approvals, turns, isAlone, answer, redactor } = parts;
  return {
    async toldIn({ turnId }) {
      const turn = await turns.get(turnId);
      return turn && placeOfQuestion(turn, parts);
    },
    async afterwards({ approval, turn }): Promise<Afterwards | undefined> {
      if (!isAlone) return undefined;
      if (turn) return "goes-on-later";
      if (approval.state !== "approved") return undefined;
      return (await isRunOver(parts, approval.turnId)) ? "run-over" : undefined;
    },
    list: async () => redactor.values(await approvals.list({ limit: mostListed, states: ["pending"] })),
    answer: async (id, given) => redactor.values(await answer(id, given)),
  };
}
