/** The desks over open stores: in a gateway over its own, in a command over those of the home. */
import { randomBytes } from "node:crypto";
import type { Config } from "../../config/schema.ts";
import type { Say } from "../../infra/texts.ts";
import { makePairingCode } from "../../routing/pairing-code.ts";
import type { InboxRow } from "../../storage/inbox.ts";
import type { OutboxRow } from "../../storage/outbox.ts";
import type { PairingLimits } from "../../storage/people.ts";
import type { TurnRecord } from "../../storage/turns.ts";
import type { Ground } from "../open-ground.ts";
import { createDeadLetterDesk } from "./dead-letter-desk.ts";
import type { Desk } from "./desk.ts";
import { createNoticeDesk } from "./notice-desk.ts";
import { createOutboxDesk } from "./outbox-desk.ts";
import { createOwnerDesk } from "./owner-desk.ts";
import { createPairingDesk } from "./pairing-desk.ts";
import { createRunDesk } from "./run-desk.ts";
import { createSessionMethods } from "./session-methods.ts";

export interface LocalDesks {
  outbox: Desk<"outbox">;
  deadletters: Desk<"deadletters">;
  notices: Desk<"notices">;
  owner: Desk<"owner">;
  pairing: Desk<"pairing">;
  runs: Desk<"runs">;
  sessions: Desk<"sessions">;
}

/** What a running gateway acts on at once. */
export interface DeskChanges {
  outbox(rows: OutboxRow[]): void;
  turn(turn: TurnRecord): void;
  /** A message that was given up before it had a turn goes its way again. */
  inbox(row: InboxRow): void;
}

export interface LocalDeskParts {
  ground: Pick<
    Ground,
    "stores" | "clock" | "leases" | "transcripts" | "mirror" | "tenantId" | "workspaceId" | "defaultAgentId"
  >;
  /** As it is now. */
  config(): Config;
  say: Say;
  /** Without one, whoever runs the gateway next finds what was changed. */
  onChange?: DeskChanges;
}

export function createLocalDesks({ ground, config, say, onChange }: LocalDeskParts): LocalDesks {
  const { stores, clock } = ground;
  const changed: DeskChanges = onChange ?? { outbox: () => {}, turn: () => {}, inbox: () => {} };
  const makeCode = () => makePairingCode(randomBytes);
  return {
    outbox: createOutboxDesk({ outbox: stores.outbox, clock, onChange: changed.outbox }),
    deadletters: createDeadLetterDesk({ ...stores, onChange: changed }),
    notices: createNoticeDesk(stores.notices),
    owner: createOwnerDesk({ pairing: stores.pairing, owners: () => config().owners, clock, makeCode }),
    pairing: createPairingDesk({ ...stores, limits: (channel) => limitsOf(config(), channel), makeCode }),
    runs: createRunDesk(stores),
    sessions: createSessionMethods({ ground, config, say }),
  };
}

function limitsOf({ gateway }: Config, channel: string): PairingLimits {
  const { pairingPendingTtlMs: ttlMs, pairingPendingMax: max } = gateway.default;
  const own = Object.hasOwn(gateway.channels, channel) ? gateway.channels[channel] : undefined;
  return { ttlMs: own?.pairingPendingTtlMs ?? ttlMs, max: own?.pairingPendingMax ?? max };
}
