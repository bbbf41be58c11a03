/** Who may write to Pincer on channels, and who its owners are. */
import { Type } from "typebox";
import { answer, method, name, strict } from "./method.ts";

const sender = { channel: name, accountId: Type.Union([name, Type.Null()]), senderId: name };
const place = { channel: Type.Optional(name), accountId: Type.Optional(name) };

export const pairingMethods = {
  "pairing.list": method({
    params: place,
    result: answer<Pairings>(),
    effect: "read",
    // The result contains codes, and anyone who has one can get in.
    permission: "people.view",
    scope: "tenant",
  }),
  "pairing.approve": method({
    params: { code: Type.String({ minLength: 1, maxLength: 64 }), ...place },
    result: answer<{ approved: PairingView }>(),
    effect: "change",
    permission: "pairing.write",
    scope: "tenant",
  }),
  /** Without a channel, wherever the sender is approved, if that is only one channel. */
  "pairing.revoke": method({
    params: { senderId: name, ...place },
    result: answer<{ revoked: Array<Omit<AllowedView, "addedAt" | "by">> }>(),
    effect: "change",
    permission: "pairing.write",
    scope: "tenant",
  }),
  "pairing.import": method({
    params: {
      allowed: Type.Array(Type.Object(sender, strict), { maxItems: 100_000 }),
      pending: Type.Array(
        Type.Object(
          {
            channel: name,
            accountId: name,
            senderId: name,
            code: Type.String({ minLength: 1, maxLength: 64 }),
            meta: Type.Record(Type.String(), Type.String()),
          },
          strict,
        ),
        { maxItems: 1000 },
      ),
    },
    result: answer<{ allowed: number; pending: number; full: number }>(),
    effect: "change",
    permission: "pairing.write",
    scope: "tenant",
  }),
  "pairing.export": method({
    params: { channel: Type.Optional(name) },
    result: answer<Pairings>(),
    effect: "read",
    permission: "people.view",
    scope: "tenant",
  }),

  /** Creates a code; an older one becomes invalid. */
  "owner.claim": method({
    params: {},
    result: answer<{ code: string; expiresAt: string }>(),
    effect: "change",
    permission: "owner.write",
    scope: "tenant",
  }),
  "owner.list": method({
    params: {},
    result: answer<{ owners: OwnerView[] }>(),
    effect: "read",
    permission: "people.view",
    scope: "tenant",
  }),
  "owner.remove": method({
    params: { channel: name, senderId: name },
    result: answer<{ removed: { channel: string; senderId: string } }>(),
    effect: "change",
    permission: "owner.write",
    scope: "tenant",
  }),
};

export interface PairingView {
  channel: string;
  accountId: string;
  senderId: string;
  code: string;
  createdAt: string;
  lastSeenAt: string;
  meta: Record<string, string>;
}

/** `accountId` null: on every account of the channel. */
export interface AllowedView {
  channel: string;
  accountId: string | null;
  senderId: string;
  addedAt: string;
  by: string;
}

export interface OwnerView {
  channel: string;
  senderId: string;
  /** Null if the config lists it. */
  claimedAt: string | null;
}

type Pairings = { pending: PairingView[]; allowed: AllowedView[] };
