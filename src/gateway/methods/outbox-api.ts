/** Outgoing messages, and those that could not be sent. */
import type { OutboxView } from "@pincer/sdk";
import type { Clock } from "../../infra/clock.ts";
import { failure } from "../../infra/failure.ts";
import type { OutboxRow, OutboxState, OutboxStore } from "../../storage/outbox/outbox.ts";
import type { Api } from "./api.ts";

/** Somebody who asks for another try wants it to arrive, also when the network comes back only tomorrow. */
const retryForMs = 24 * 3_600_000;
const unsettled: OutboxState[] = ["queued", "sending", "uncertain", "failed"];

export function createOutboxApi({
  outbox,
  clock,
  onChange,
}: {
  outbox: Pick<OutboxStore, "list" | "get" | "retry" | "drop">;
  clock: Clock;
  onChange: (rows: OutboxRow[]) => void;
}): Api<"outbox"> {
  async function find(id: string): Promise<OutboxRow> {
    const row = await outbox.get(id);
    if (!row) throw failure("message/not-found", "outbox.none", { id }, { hint: "outbox.none.hint" });
    return row;
  }

  const over = ({ id, state }: OutboxRow) =>
    failure("message/over", "outbox.over", { id, state }, { hint: "outbox.none.hint" });

  return {
    async list({ limit = 50, before, states = unsettled }) {
      const rows = await outbox.list({ limit, states, ...(before === undefined ? {} : { before }) });
      return { messages: rows.map(viewOutbox) };
    },
    get: async ({ id }) => ({ message: viewOutbox(await find(id)) }),
    async retry({ id }) {
      const row = await outbox.retry(id, new Date(clock.now() + retryForMs).toISOString());
      if (!row) throw over(await find(id));
      onChange([row]);
      return { message: viewOutbox(row) };
    },
    async drop({ id }) {
      const row = await find(id);
      if (!(await outbox.drop(id))) throw over(row);
      // What waited behind it can go now.
      onChange([row]);
      return { dropped: id };
    },
  };
}

/** What stands in place of a turn with messages that nobody's turn has sent: the key that they were asked for with. */
export const sentByHand = (key: string): string => `${byHand}${key}`;

const byHand = "hand:";

export const viewOutbox = (row: OutboxRow): OutboxView => ({
  id: row.id,
  position: row.position,
  conversation: row.conversation,
  destination: row.destination,
  kind: row.kind,
  turnId: row.turnId?.startsWith(byHand) ? null : row.turnId,
  state: row.state,
  text: row.text,
  attachments: row.attachments,
  attempts: row.attempts,
  repeated: row.repeated,
  nextAt: row.nextAt,
  notAfter: row.notAfter,
  error: row.error,
  createdAt: row.createdAt,
  sentAt: row.sentAt,
});
