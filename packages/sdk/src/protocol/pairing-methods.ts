/** Who may speak to Pincer over channels, and which of them are its owner. */
import { Type, type TObject } from "typebox";
import { change, name, read, strict, type Method } from "./method.ts";

const sender = { channel: name, accountId: Type.Union([name, Type.Null()]), senderId: name };
const place = { channel: Type.Optional(name), accountId: Type.Optional(name) };

export const pairingMethods = {
  "pairing.list": read(place),
  "pairing.approve": change({ code: Type.String({ minLength: 1, maxLength: 64 }), ...place }),
  /** Without a channel, wherever the sender is allowed, as long as that is one channel only. */
  "pairing.revoke": change({ senderId: name, ...place }),
  "pairing.import": change({
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
  }),
  "pairing.export": read({ channel: Type.Optional(name) }),

  /** Makes a code; an older one stops working. */
  "owner.claim": change({}),
  "owner.list": read({}),
  "owner.remove": change({ channel: name, senderId: name }),
} as const satisfies Record<string, Method<TObject>>;

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
  /** Null for one that the config names. */
  claimedAt: string | null;
}

type Pairings = { pending: PairingView[]; allowed: AllowedView[] };

export interface PairingResults {
  "pairing.list": Pairings;
  "pairing.approve": { approved: PairingView };
  "pairing.revoke": { revoked: Array<Omit<AllowedView, "addedAt" | "by">> };
  "pairing.import": { allowed: number; pending: number; full: number };
  "pairing.export": Pairings;
  "owner.claim": { code: string; expiresAt: string };
  "owner.list": { owners: OwnerView[] };
  "owner.remove": { removed: { channel: string; senderId: string } };
}
