/** A message that comes with the wish for its turn: both are stored, or neither. */
import type { InboundMessage } from "@pincer/sdk";
import { acquireAndClaim, type MadeTurn } from "./claim-turn.ts";
import { change, type Verb } from "../sqlite/database.ts";
import { attach, findPlace } from "./enqueue-turn.ts";
import { acceptInbox, untakeInbox } from "../inbox/inbox-row.ts";
import type { Moment } from "../moment.ts";
import { toTurnRecord } from "./turn-row.ts";
import type { AcceptedTurn, BeginTurn, BegunTurn, EnqueueTurn } from "./turns.ts";

/** Nearly always the message has a turn of its own, and is stored as part of it. */
export function* acceptTurn(
  moment: Moment,
  message: InboundMessage,
  request: Omit<EnqueueTurn, "inputs">,
  begin?: BeginTurn,
): Verb<AcceptedTurn> {
  const { tenantId } = moment;
  const turnId = begin?.turnId ?? moment.ids.make("r");
  const { type, row } = yield* acceptInbox(moment, message, { turnId, isTaken: begin !== undefined });
  if (type === "duplicate") return { row, outcome: { type: "settled", turnId: row.turnId } };
  const { outcome, made } = yield* findPlace(moment, request, { inputs: 1, turnId });
  if (outcome.type === "joined") yield* attach(tenantId, outcome.turn.turnId, [row.id]);
  // Whoever was told that there is no room may come again with the same message.
  if (outcome.type === "full")
    yield* change("DELETE FROM inbox WHERE tenant_id = ? AND id = ?", [tenantId, row.id]);
  const isNext = outcome.type === "queued" && outcome.ahead === 0;
  const begun =
    begin && made && isNext ? yield* beginAtOnce(moment, { turn: made, inputs: [row] }, begin) : undefined;
  if (begin && !begun) yield* untakeInbox(tenantId, row.id);
  return { row, outcome, begun };
}

/** Undefined where somebody has the lease. */
function* beginAtOnce(
  moment: Moment,
  made: MadeTurn,
  { lease, claimOf }: BeginTurn,
): Verb<BegunTurn | undefined> {
  const taken = yield* acquireAndClaim(moment, lease, claimOf(toTurnRecord(made.turn)), made);
  return taken.type === "acquired" ? { fence: taken.fence, claim: taken.claim } : undefined;
}
