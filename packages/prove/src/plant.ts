/** Bugs to plant, so that the proof can be seen to find them. */
import { randomUUID } from "node:crypto";
import type { TenantStores } from "../../../src/storage/storage.ts";
import { accountKinds } from "./account-kinds.ts";
import type { Cut } from "./cut.ts";

/**
 * ack-first: the network is told before the message is stored. no-dedupe: each delivery is a new message. send-first: the row that
 * says that a send has begun is written only after it. no-sync: nothing is flushed to the disk.
 */
export const plants = ["ack-first", "no-dedupe", "send-first", "no-sync"] as const;
export type Plant = (typeof plants)[number];

export function plantInStores(plant: Plant | undefined, stores: TenantStores): TenantStores {
  if (plant === "no-dedupe") return { ...stores, inbox: forgetful(stores.inbox) };
  if (plant === "send-first") return { ...stores, outbox: hasty(stores.outbox) };
  return stores;
}

function forgetful(inbox: TenantStores["inbox"]): TenantStores["inbox"] {
  return overriding(inbox, {
    accept: (message) =>
      inbox.accept({
        ...message,
        message: { ...message.message, id: `${message.message.id}-${randomUUID()}` },
      }),
  });
}

function hasty(outbox: TenantStores["outbox"]): TenantStores["outbox"] {
  return overriding(outbox, {
    async beginSend(id) {
      const row = await outbox.get(id);
      return row && { ...row, state: "sending", attempts: row.attempts + 1 };
    },
    async markSent(id, sent) {
      await outbox.beginSend(id);
      await outbox.markSent(id, sent);
    },
  });
}

/** Not a spread: a store may keep its verbs on a prototype. */
const overriding = <Store extends object>(store: Store, changes: Partial<Store>): Store =>
  Object.assign(Object.create(store) as Store, changes);

/** Cuts that show it soonest. */
export function cutsAgainst(plant: Plant): Cut[] {
  const points: Record<Plant, string> = {
    "ack-first": "receive:before",
    "no-dedupe": "receive:after",
    "send-first": "send:taken",
    "no-sync": "send:after",
  };
  return [...accountKinds, ...accountKinds].map((kind) => ({
    type: "failpoint",
    action: "kill",
    point: `channel.${kind}.${points[plant]}`,
    hit: 1,
    early: false,
  }));
}
