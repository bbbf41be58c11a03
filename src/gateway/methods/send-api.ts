/**
 * Messages that somebody sends by hand. Each is a row of the outbox under its idempotency key: a repeated request
 * returns the same row, whatever became of it. An explicit address is used as it is; a name must be one that the owner
 * gave.
 */
import { createHash } from "node:crypto";
import { recipientOf, type Destination, type SentView } from "@pincer/sdk";
import { readAccounts } from "../../channels/accounts.ts";
import { createReplies } from "../../channels/replies.ts";
import { failure } from "../../infra/failure.ts";
import { isOwner } from "../../policy/caller.ts";
import type { OutboxRow } from "../../storage/outbox/outbox.ts";
import { contactsOf, findContact, readPlace } from "../../channels/conversation/contacts.ts";
import { createFindRecipient } from "../../channels/conversation/find-recipient.ts";
import { createKnownPlaces } from "../../channels/conversation/known-places.ts";
import { createSessionPlaces } from "../../channels/conversation/session-places.ts";
import { keyUsed } from "../../routing/questions.ts";
import type { ControlApiParts } from "./control-parts.ts";
import type { Api } from "./api.ts";
import { sentByHand } from "./outbox-api.ts";

/** What any network carries: without a gateway nobody knows which one will. */
const textLimit = 2000;
const notAfterMs = 24 * 60 * 60_000;
const mostRows = 1000;

export function createSendApi({ openedHome, config, redactor, running }: ControlApiParts): Api<"send"> {
  const { stores, clock, tenantId, workspaceId, defaultAgentId } = openedHome;
  const accounts = running?.accounts ?? (() => readAccounts(config().channels));
  const replies = running?.replies ?? createReplies({ traitsOf: () => ({ textLimit }), clock, notAfterMs });
  const places = createKnownPlaces({ config, accounts, ...stores });
  const { destinationOf } = createSessionPlaces({ config, ...stores, tenantId, workspaceId });
  const find = createFindRecipient({ config, places, destinationOf });

  /** Throws `usage/not-found`, `usage/bad-argument`. */
  async function destinationFor(
    to: string,
    accountId: string | undefined,
    agentId: string,
  ): Promise<Destination> {
    const place = findContact(contactsOf(config()), to) ? undefined : readPlace(to);
    const isKey = /^(?:agent|tenant):/.test(to.trim());
    if (place && !isKey) {
      const meant = await places.candidates({ ...place, accountId: place.accountId ?? accountId }, agentId);
      const [only, another] = meant;
      if (only && another) throw ambiguous(to, meant);
      if (only) return only;
      throw failure("usage/not-found", "send.no-account", { to }, { hint: "send.no-account.hint" });
    }
    const sessionKey = `agent:${agentId}:main`;
    const found = await find(to, {
      place: { chatType: "main", userRoles: ["owner"], sessionKey, agentId },
    });
    if ("refused" in found) {
      const who = to.trim() === "owner" ? "send.no-owner" : "send.nobody";
      throw failure("usage/not-found", who, { to }, { hint: `${who}.hint` });
    }
    const { destination } = found;
    if (accountId !== undefined && destination.accountId !== accountId)
      throw failure("usage/bad-argument", "send.other-account", { to, accountId });
    return destination;
  }

  return {
    async message({ to, text, accountId, replyTo = null, agentId, idempotencyKey }, until) {
      const sender = until?.caller && !isOwner(until.caller) ? until.caller.id : "owner";
      const key = sentByHand(digest([sender, idempotencyKey]));
      const request = digest([to, text, accountId ?? null, replyTo, agentId ?? null]);
      const before = await rowsUnder(key);
      if (before.length > 0) return answer(before, request, { idempotencyKey, duplicate: true });

      const destination = await destinationFor(to, accountId, agentId ?? defaultAgentId);
      const drafts = replies
        .drafts({ destination, turnId: key, replyTo, text: redactor.text(text), kind: "message" })
        // The key and its request in place of the words: equal words under another key are another message.
        .map((draft, index) => ({ ...draft, dedupeKey: `${request} ${index}` }));
      if (drafts.length === 0) throw failure("usage/empty-input", "send.empty");
      const made = await stores.outbox.enqueue(drafts, { onDisk: true });
      running?.wake(made);
      // Where somebody else was first with the same key, theirs are the rows.
      return answer(await rowsUnder(key), request, { idempotencyKey, duplicate: made.length === 0 });
    },
  };

  async function rowsUnder(turnId: string): Promise<OutboxRow[]> {
    return (await stores.outbox.list({ turnId, limit: mostRows })).toReversed();
  }

  function answer(
    rows: OutboxRow[],
    request: string,
    { idempotencyKey, duplicate }: { idempotencyKey: string; duplicate: boolean },
  ): SentView {
    const [first] = rows;
    if (!first?.dedupeKey?.startsWith(request)) throw keyUsed(idempotencyKey);
    return {
      id: first.id,
      // Of several the one that has got least far: the message has arrived when all of it has.
      state: rows.find(({ state }) => state !== "sent")?.state ?? first.state,
      ids: rows.map(({ id }) => id),
      recipient: recipientOf(first.destination),
      duplicate,
      delivers: running !== undefined,
    };
  }
}

const digest = (parts: ReadonlyArray<string | null>): string =>
  createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 32);

const ambiguous = (to: string, meant: readonly Destination[]) =>
  failure(
    "usage/bad-argument",
    "send.ambiguous",
    { to, choices: meant.map(recipientOf).join(", ") },
    { hint: "send.ambiguous.hint" },
  );
