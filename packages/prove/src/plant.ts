/** Bugs to plant, so that the proof can be seen to find them. */
import { randomUUID } from "node:crypto";
import type { TenantStores } from "../../../src/storage/storage.ts";
import { accountKinds } from "./account-kinds.ts";
import type { Cut } from "./cut.ts";

/**
 * ack-first: the network is told before the message is stored. no-dedupe: each delivery is a new message. send-first: the row that
 * says that a send has begun is written only after it. no-sync: nothing is flushed to the disk. deaf-to-sync: it does not hear that a
 * sync has failed. keep-quiet: nobody who waits is told. no-policy-copy: there is no second copy of the policy. repeat-after-restore:
 * nothing is held after a restore. hang-is-refusal: a send that hung is taken for one that was refused.
 */
export const plants = [
  "ack-first",
  "no-dedupe",
  "send-first",
  "no-sync",
  "deaf-to-sync",
  "keep-quiet",
  "no-policy-copy",
  "repeat-after-restore",
  "hang-is-refusal",
] as const;
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
  const eachAccount = (point: string): Cut[] =>
    [...accountKinds, ...accountKinds].map((kind) => ({
      type: "failpoint",
      action: "kill",
      point: `channel.${kind}.${point}`,
      hit: 1,
      early: false,
    }));
  switch (plant) {
    case "ack-first":
      return eachAccount("receive:before");
    case "no-dedupe":
      return eachAccount("receive:after");
    case "send-first":
      return eachAccount("send:taken");
    case "no-sync":
      return eachAccount("send:after");
    case "deaf-to-sync":
      return [2, 3].map((hit) => ({
        type: "failpoint",
        action: "eio",
        point: "sync:before",
        hit,
        early: false,
      }));
    case "keep-quiet":
      return [{ type: "disk" }];
    case "no-policy-copy":
      return [{ type: "lose", how: "deleted" }];
    case "repeat-after-restore":
      return [
        { type: "restore", held: "drop" },
        { type: "restore", held: "drop" },
      ];
    case "hang-is-refusal":
      return [
        { type: "hostile", fault: "hang-taken" },
        { type: "hostile", fault: "hang-taken" },
      ];
  }
}
