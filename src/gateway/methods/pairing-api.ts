/** Pairing requests, and who is approved. */
import type { PairingView } from "@pincer/sdk";
import { failure } from "../../infra/failure.ts";
import { readPairingCode, showPairingCode } from "../../routing/pairing-code.ts";
import type { NoticeStore } from "../../storage/outbox/notices.ts";
import type {
  AllowedSender,
  PairingLimits,
  PairingRequest,
  PairingStore,
} from "../../storage/access/people.ts";
import type { Api } from "./api.ts";

/** Wrong codes within an hour before nothing is tried any more. */
const maxTries = 10;

export function createPairingApi({
  pairing,
  notices,
  welcome,
  limits,
  makeCode,
}: {
  pairing: Pick<PairingStore, "list" | "listAllowed" | "approve" | "revoke" | "allow" | "request">;
  notices: Pick<NoticeStore, "dismiss">;
  /** Tells the person that they are in, and takes up what they wrote before. Left out where nothing is sent. */
  welcome?:
    | ((sender: Pick<PairingRequest, "channel" | "accountId" | "senderId">) => Promise<void>)
    | undefined;
  limits(channel: string): PairingLimits;
  makeCode(): string;
}): Api<"pairing"> {
  const mostOn = (channel: string) => limits(channel).max;

  async function list(place: { channel?: string; accountId?: string }) {
    const pending = await pairing.list({ ...place, mostOn });
    return { pending: pending.map(view), allowed: await pairing.listAllowed(place) };
  }

  return {
    list,
    export: list,
    async approve({ code, channel, accountId }) {
      const outcome = await pairing.approve({
        code: readPairingCode(code) ?? code,
        ...(channel === undefined ? {} : { channel }),
        ...(accountId === undefined ? {} : { accountId }),
        mostOn,
        maxTries,
        by: "owner",
      });
      if (outcome.type === "approved") {
        const { request } = outcome;
        await notices.dismiss(`pairing:${request.channel}:${request.accountId}:${request.senderId}`);
        await welcome?.(request);
        return { approved: view(request) };
      }
      if (outcome.type === "locked") {
        const { until } = outcome;
        throw failure("pairing/locked", "pairing.locked", { until }, { hint: "pairing.locked.hint" });
      }
      throw failure(
        "pairing/unknown-code",
        "pairing.unknown-code",
        { code },
        { hint: "pairing.unknown-code.hint" },
      );
    },
    async revoke({ senderId, channel, accountId }) {
      const place = {
        ...(channel === undefined ? {} : { channel }),
        ...(accountId === undefined ? {} : { accountId }),
      };
      const known = [...(await pairing.listAllowed(place)), ...(await pairing.list({ ...place, mostOn }))];
      const entries = uniqueEntries(known.filter((each) => each.senderId === senderId));
      const channels = [...new Set(entries.map((entry) => entry.channel))];
      if (channels.length === 0) {
        throw failure("message/not-found", "pairing.none", { id: senderId }, { hint: "pairing.none.hint" });
      }
      if (accountId !== undefined && entries.some((entry) => entry.accountId === null)) {
        const found = { id: senderId, account: accountId };
        throw failure("usage/bad-argument", "pairing.everywhere", found, { hint: "pairing.everywhere.hint" });
      }
      if (channels.length > 1) {
        const found = { id: senderId, channels: channels.join(", ") };
        throw failure("usage/bad-argument", "pairing.which", found, { hint: "pairing.which.hint" });
      }
      for (const entry of entries) {
        await pairing.revoke(entry);
        await notices.dismiss(`pairing:${entry.channel}:${entry.accountId}:${entry.senderId}`);
      }
      return { revoked: entries };
    },
    async import({ allowed, pending }) {
      await pairing.allow(allowed.map((sender) => ({ ...sender, by: "import" })));
      let full = 0;
      for (const { code, ...sender } of pending) {
        // Its own code, unless somebody here has the same one.
        const codes = [readPairingCode(code) ?? code];
        const outcome = await pairing.request(
          sender,
          limits(sender.channel),
          () => codes.pop() ?? makeCode(),
        );
        if (outcome.type === "full") full += 1;
      }
      return { allowed: allowed.length, pending: pending.length - full, full };
    },
  };
}

type Entry = Pick<AllowedSender, "channel" | "accountId" | "senderId">;

/** A sender can be allowed and pending in one place, and in several of one channel. */
function uniqueEntries(entries: Entry[]): Entry[] {
  const byPlace = new Map(
    entries.map(({ channel, accountId, senderId }) => [
      JSON.stringify([channel, accountId]),
      { channel, accountId, senderId },
    ]),
  );
  return [...byPlace.values()];
}

const view = (request: PairingRequest): PairingView => ({ ...request, code: showPairingCode(request.code) });
