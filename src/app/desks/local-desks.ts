/** The desks over open stores: in a gateway over its own, in a command over those of the home. */
import { randomBytes } from "node:crypto";
import type { Config } from "../../config/schema.ts";
import type { Redactor } from "../../infra/redactor.ts";
import type { Say } from "../../infra/texts.ts";
import { createPiOAuth } from "../../models/pi/oauth.ts";
import { makePairingCode } from "../../routing/pairing-code.ts";
import type { Snapshots } from "../../sandbox/snapshots/snapshots.ts";
import type { InboxRow } from "../../storage/inbox.ts";
import type { OutboxRow } from "../../storage/outbox.ts";
import type { PairingLimits } from "../../storage/people.ts";
import type { TurnRecord } from "../../storage/turns.ts";
import type { Foundation } from "../foundation.ts";
import type { Ground } from "../open-ground.ts";
import type { DescribeContext } from "../context/context-description.ts";
import { openRulebook } from "../open-rulebook.ts";
import { openConnectedModels, type LazyModels } from "../models/connected-models.ts";
import {
  answerInStore,
  createApprovalsDesk,
  createGrantsDesk,
  type AnswerApproval,
} from "./approvals-desk.ts";
import { createAccessDesk, type SignInDesk } from "./access-desk.ts";
import { createAuthDesk } from "./auth-desk.ts";
import { createCommandsDesk, type CommandsDeskParts } from "./commands-desk.ts";
import { createDeadLetterDesk } from "./dead-letter-desk.ts";
import { createContextDesk } from "./context-desk.ts";
import { configHands, createControlDesks } from "./control-desks.ts";
import type { LiveHouse } from "./control-parts.ts";
import type { ControlDesks } from "./control-verbs.ts";
import { deskWhenNeeded, type Desk } from "./desk.ts";
import type { Memory } from "../memory/memory-room-door.ts";
import { createMemoryDesk } from "./memory-desk.ts";
import { createModelsDesk } from "./models-desk.ts";
import { createNoticeDesk } from "./notice-desk.ts";
import { createOutboxDesk } from "./outbox-desk.ts";
import { createOwnerDesk } from "./owner-desk.ts";
import { createPairingDesk } from "./pairing-desk.ts";
import { createPolicyDesk, type ExplainCall } from "./policy-desk.ts";
import { createRulesDesk } from "./rules-desk.ts";
import { createRunDesk } from "./run-desk.ts";
import { createSessionMethods } from "./session-methods.ts";
import type { TellSession } from "./session-view.ts";
import { createTapeDesk } from "./tape-desk.ts";
import { createUndoDesk } from "./undo-desk.ts";
import { createUsageDesk } from "./usage-desk.ts";

export interface LocalDesks extends ControlDesks {
  access: Desk<"access">;
  approvals: Desk<"approvals">;
  audit: Desk<"audit">;
  auth: Desk<"auth">;
  commands: Desk<"commands">;
  context: Desk<"context">;
  grants: Desk<"grants">;
  outbox: Desk<"outbox">;
  deadletters: Desk<"deadletters">;
  memory: Desk<"memory">;
  models: Desk<"models">;
  notices: Desk<"notices">;
  owner: Desk<"owner">;
  pairing: Desk<"pairing">;
  policy: Desk<"policy">;
  rules: Desk<"rules">;
  runs: Desk<"runs">;
  sessions: Desk<"sessions">;
  setup: Desk<"setup">;
  tape: Desk<"tape">;
  undo: Desk<"undo">;
  usage: Desk<"usage">;
}

/** What a running gateway acts on at once. */
export interface DeskChanges {
  outbox(rows: OutboxRow[]): void;
  turn(turn: TurnRecord): void;
  /** A message that was given up before it had a turn goes its way again. */
  inbox(row: InboxRow): void;
  /** Whoever shows sessions looks again. */
  session?: TellSession;
}

export interface LocalDeskParts {
  ground: Pick<
    Ground,
    | "stores"
    | "clock"
    | "home"
    | "ids"
    | "leases"
    | "transcripts"
    | "sessionMemory"
    | "mirror"
    | "tenantId"
    | "workspaceId"
    | "defaultAgentId"
    | "auditAnchors"
    | "auditSeal"
  > & { foundation: Pick<Foundation, "secrets"> };
  /** As it is now. */
  config(): Config;
  say: Say;
  environment: Readonly<Record<string, string | undefined>>;
  redactor: Redactor;
  /** Without one, whoever runs the gateway next finds what was changed. */
  onChange?: DeskChanges;
  /** What it takes to ask models; without it, made when somebody asks. */
  connected?: Pick<LazyModels, "room">;
  /** How browsers are signed in; left out where no gateway runs. */
  signIn?: SignInDesk | undefined;
  /** What a turn would be told; without it, nobody can say. */
  describeContext?: DescribeContext;
  /** What the commands of a chat stand on; without it, nobody can run one. */
  commandRoom?: CommandsDeskParts["room"] | undefined;
  /** What runs here and can be stopped; left out where nothing does. */
  liveCommands?: CommandsDeskParts["live"];
  /** Lets a turn that waited go on at once; without it, the answer is stored and nothing more. */
  answerApproval?: AnswerApproval;
  /** What the gate would say to a call; without it, nobody can say. */
  explainCall?: ExplainCall;
  /** Where memory is searched. */
  memory: Pick<Memory, "search" | "get" | "status" | "sync" | "unconfirmed" | "forget">;
  /** What turns changed; left out where it is not kept. */
  snapshots?: Pick<Snapshots, "list" | "find" | "undo"> | undefined;
  /** What a running gateway knows and does besides; left out where none runs. */
  house?: LiveHouse | undefined;
  /** Told, in words, what is not as it should be. */
  notify(message: string): void;
}

export function createLocalDesks(parts: LocalDeskParts): LocalDesks {
  const { ground, config, say, onChange } = parts;
  const { stores, clock } = ground;
  const changed: DeskChanges = onChange ?? { outbox: () => {}, turn: () => {}, inbox: () => {} };
  const makeCode = () => makePairingCode(randomBytes);
  const { room } = parts.connected ?? openConnectedModels(parts);
  const desks: LocalDesks = {
    ...createControlDesks(parts),
    access: createAccessDesk({
      access: stores.access,
      clock,
      tenantId: ground.tenantId,
      notices: stores.notices,
      config,
      signIn: parts.signIn,
    }),
    approvals: createApprovalsDesk({
      approvals: stores.approvals,
      turns: stores.turns,
      answer: parts.answerApproval ?? answerInStore(stores),
      redactor: parts.redactor,
    }),
    audit: deskWhenNeeded(["query", "verify", "export"], async () =>
      (await import("./audit-desk.ts")).createAuditDesk({
        audit: stores.audit,
        anchors: ground.auditAnchors,
        seal: ground.auditSeal,
      }),
    ),
    grants: createGrantsDesk({ approvals: stores.approvals, redactor: parts.redactor }),
    auth: createAuthDesk({
      store: stores.credentials,
      secrets: ground.foundation.secrets,
      redactor: parts.redactor,
      environment: parts.environment,
      config,
      clock,
      tenantId: ground.tenantId,
      defaultAgentId: ground.defaultAgentId,
      logins: createPiOAuth(),
      test: async (credential, signal) => (await room()).testCredential(credential, signal),
    }),
    commands: createCommandsDesk({
      ...parts,
      describeContext: parts.describeContext ?? nobodyDescribes,
      snapshots: parts.snapshots,
      room: parts.commandRoom ?? nobodyCommands,
      live: parts.liveCommands,
    }),
    context: createContextDesk({ ground, config, describe: parts.describeContext ?? nobodyDescribes }),
    outbox: createOutboxDesk({ outbox: stores.outbox, clock, onChange: changed.outbox }),
    deadletters: createDeadLetterDesk({ ...stores, onChange: changed }),
    memory: createMemoryDesk({
      room: parts.memory,
      config,
      defaultAgentId: ground.defaultAgentId,
    }),
    models: createModelsDesk({
      room,
      config,
      defaultAgentId: ground.defaultAgentId,
    }),
    notices: createNoticeDesk(stores.notices),
    owner: createOwnerDesk({ ...stores, owners: () => config().owners, clock, makeCode }),
    pairing: createPairingDesk({ ...stores, limits: (channel) => limitsOf(config(), channel), makeCode }),
    policy: createPolicyDesk(parts.explainCall ?? nobodyExplains),
    rules: createRulesDesk({
      rulebook: openRulebook(ground),
      config,
      defaultAgentId: ground.defaultAgentId,
    }),
    runs: createRunDesk({ ...stores, clock, ids: ground.ids }),
    sessions: createSessionMethods({ ground, config, say, index: parts.memory, onChange: changed.session }),
    tape: createTapeDesk({ ground, config, redactor: parts.redactor, onChange: changed.session }),
    undo: createUndoDesk({ ground, config, redactor: parts.redactor, snapshots: parts.snapshots }),
    usage: createUsageDesk({ ground, config }),
    setup: deskWhenNeeded(["status", "find", "take", "tryModel", "name", "done"], async () =>
      (await import("../setup/setup-desk.ts")).createSetupDesk({
        ...parts,
        ...configHands(parts),
        connected: { room },
        neighbours: desks,
      }),
    ),
  };
  return desks;
}

const nobodyDescribes: DescribeContext = async () => {
  throw new Error("nobody here builds requests");
};

const nobodyCommands = async (): Promise<never> => {
  throw new Error("nobody here runs commands");
};

const nobodyExplains: ExplainCall = async () => {
  throw new Error("nobody here decides about calls");
};

function limitsOf({ gateway }: Config, channel: string): PairingLimits {
  const { pairingPendingTtlMs: ttlMs, pairingPendingMax: max } = gateway.default;
  const own = Object.hasOwn(gateway.channels, channel) ? gateway.channels[channel] : undefined;
  return { ttlMs: own?.pairingPendingTtlMs ?? ttlMs, max: own?.pairingPendingMax ?? max };
}
