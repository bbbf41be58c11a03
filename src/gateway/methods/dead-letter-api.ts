/**
 * Messages that crashed the gateway too often: they wait here until the owner decides. One that was being answered is
 * identified by its turn; one that failed before, by itself.
 */
import type { DeadLetterView } from "@pincer/sdk";
import { failure } from "../../infra/failure.ts";
import { destinationOf } from "../../routing/find-place.ts";
import type { InboxRow, InboxStore } from "../../storage/inbox/inbox.ts";
import type { NoticeStore } from "../../storage/outbox/notices.ts";
import type { TurnRecord, TurnStore } from "../../storage/turns/turns.ts";
import type { Api } from "./api.ts";

export interface DeadLetterParts {
  turns: Pick<TurnStore, "list" | "get" | "inputs" | "revive" | "drop">;
  inbox: Pick<InboxStore, "listDead" | "get" | "revive" | "dropDead">;
  notices: Pick<NoticeStore, "dismiss">;
  onChange: { turn(turn: TurnRecord): void; inbox(row: InboxRow): void };
}

export function createDeadLetterApi({
  turns,
  inbox,
  notices,
  onChange,
}: DeadLetterParts): Api<"deadletters"> {
  const viewTurn = async (turn: TurnRecord): Promise<DeadLetterView> => ({
    id: turn.turnId,
    kind: "turn",
    position: placeInList.turn(turn.position),
    sessionKey: turn.sessionKey,
    person: turn.person,
    destination: turn.destination,
    claims: turn.claims,
    queuedAt: turn.queuedAt,
    endedAt: turn.endedAt,
    ...(turn.ending?.type === "held" && { isHeld: true as const }),
    texts: (await turns.inputs(turn.turnId)).map(textOfInput).filter(Boolean),
  });
  const none = (id: string) =>
    failure("message/not-found", "deadletters.none", { id }, { hint: "deadletters.none.hint" });

  return {
    async list({ limit = 50, before }) {
      const after = readPlace(before);
      const messages = after.kind === "message" ? await inbox.listDead({ limit, ...after.page }) : [];
      const room = limit - messages.length;
      const dead =
        room > 0
          ? await turns.list({
              limit: room,
              states: ["dead"],
              ...(after.kind === "turn" ? after.page : {}),
            })
          : [];
      return { letters: [...messages.map(viewMessage), ...(await Promise.all(dead.map(viewTurn)))] };
    },
    async get({ id }) {
      const turn = await turns.get(id);
      if (turn?.state === "dead") return { letter: await viewTurn(turn) };
      const row = await inbox.get(id);
      if (row?.state === "dead" && row.turnId === null) return { letter: viewMessage(row) };
      throw none(id);
    },
    async retry({ id }) {
      const turn = await turns.revive(id);
      if (turn) {
        await notices.dismiss(`turn:${id}`);
        onChange.turn(turn);
        return { retried: id };
      }
      const row = await inbox.revive(id);
      if (!row) throw none(id);
      await notices.dismiss(`message:${id}`);
      onChange.inbox(row);
      return { retried: id };
    },
    async drop({ id }) {
      // The owner has decided: nothing is left to be told.
      if (await turns.drop(id)) await notices.dismiss(`turn:${id}`);
      else if (await inbox.dropDead(id)) await notices.dismiss(`message:${id}`);
      else throw none(id);
      return { dropped: id };
    },
  };
}

/** Messages come before turns in the list. One number tells both kinds apart, so that a page can begin in the middle of either. */
const placeInList = {
  turn: (position: number): number => 2 * position,
  message: (position: number): number => 2 * position + 1,
};

function readPlace(before: number | undefined): { kind: "turn" | "message"; page: { before?: number } } {
  if (before === undefined) return { kind: "message", page: {} };
  return { kind: before % 2 === 0 ? "turn" : "message", page: { before: Math.floor(before / 2) } };
}

function viewMessage(row: InboxRow): DeadLetterView {
  const { channel, sender } = row.message;
  return {
    id: row.id,
    kind: "message",
    position: placeInList.message(row.position),
    sessionKey: null,
    // The door had not decided yet who it is.
    person: {
      role: "unknown",
      id: `${channel}:${sender.id}`,
      ...(sender.name === undefined ? {} : { name: sender.name }),
    },
    destination: destinationOf(row.message),
    claims: row.attempts,
    queuedAt: row.receivedAt,
    endedAt: null,
    ...(row.reason === "held" && { isHeld: true as const }),
    texts: [textOfInput(row)].filter(Boolean),
  };
}

const textOfInput = ({ message: { message } }: InboxRow): string =>
  message.type === "delete" ? "" : message.text;
