/**
 * What the parts of a gateway ask of one another while it runs. They are opened one after the other, and each puts its own in here when it is
 * there; until then the answer is that there is nothing.
 */
import type { ChannelConnection } from "@pincer/sdk";
import type { AccountState } from "../../channels/account-supervisor.ts";
import type { CommandServicesParts } from "../../gateway/commands/command-services.ts";
import type { GaugesParts } from "../../gateway/gauges/create-gauges.ts";
import type { InboxRow } from "../../storage/inbox/inbox.ts";
import type { TurnRecord } from "../../storage/turns/turns.ts";

export interface LiveParts {
  stage: ReturnType<GaugesParts["stage"]>;
  /** Lets a turn run. */
  offer(turn: TurnRecord): void;
  turns(): { running: number; waiting: number };
  /** A message that the product sent itself is in the inbox. */
  received(row: InboxRow): void;
  accounts(): AccountState[];
  connection(channel: string, accountId: string): ChannelConnection | undefined;
  /** Makes the connection of an account anew. */
  renew(channel: string, accountId: string): void;
  /** There may be something new to tell the owner. */
  tellOwner(): void;
  /** Of those who ask, by kind. */
  connections(): Record<string, number>;
  signInLink: NonNullable<CommandServicesParts["signInLink"]>;
}

export const createLiveParts = (): LiveParts => ({
  stage: "starting",
  offer() {},
  turns: () => ({ running: 0, waiting: 0 }),
  received() {},
  accounts: () => [],
  connection: () => undefined,
  renew() {},
  tellOwner() {},
  connections: () => ({}),
  signInLink: async () => undefined,
});
