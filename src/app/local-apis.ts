/** The APIs over open stores: in a gateway over its own, in a command over those of the home. */
import { randomBytes } from "node:crypto";
import type { Config } from "../config/schema.ts";
import type { Redactor } from "../infra/redactor.ts";
import type { Say } from "../infra/texts.ts";
import { createPiOAuth } from "../models/pi/oauth.ts";
import { makePairingCode } from "../routing/pairing-code.ts";
import type { Snapshots } from "../sandbox/snapshots/snapshots.ts";
import type { InboxRow } from "../storage/inbox/inbox.ts";
import type { OutboxRow } from "../storage/outbox/outbox.ts";
import type { PairingLimits } from "../storage/access/people.ts";
import type { TurnRecord } from "../storage/turns/turns.ts";
import type { Foundation } from "../storage/home/foundation.ts";
import type { OpenHome } from "../storage/home/open-home.ts";
import type { DescribeContext } from "../agent/context/context-description.ts";
import { openRulebook } from "../agent/open-rulebook.ts";
import { openConnectedModels, type LazyModels } from "../agent/models/connected-models.ts";
import {
  answerInStore,
  createApprovalsApi,
  createGrantsApi,
  type AnswerApproval,
} from "../gateway/methods/approvals-api.ts";
import { createAccessApi, type SignInApi } from "../gateway/methods/access-api.ts";
import { createAuthApi } from "../gateway/methods/auth-api.ts";
import { createCommandsApi } from "../gateway/methods/commands-api.ts";
import { createDeadLetterApi } from "../gateway/methods/dead-letter-api.ts";
import { createContextApi } from "../gateway/methods/context-api.ts";
import { configEditing } from "../gateway/methods/config-editing.ts";
import { createControlApis, type ControlApis } from "./control-apis.ts";
import type { RunningGateway } from "../gateway/methods/control-parts.ts";
import { lazyApi, type Api } from "../gateway/methods/api.ts";
import type { Memory } from "../memory/following/memory.ts";
import { createMemoryApi } from "../gateway/methods/memory-api.ts";
import { createModelsApi } from "../gateway/methods/models-api.ts";
import { createNoticeApi } from "../gateway/methods/notice-api.ts";
import { createOutboxApi } from "../gateway/methods/outbox-api.ts";
import { createOwnerApi } from "../gateway/methods/owner-api.ts";
import { createPairingApi } from "../gateway/methods/pairing-api.ts";
import { welcomePerson } from "../gateway/methods/welcome-person.ts";
import { createFilePolicy } from "../gateway/methods/file-policy.ts";
import { createPolicyApi } from "../gateway/methods/policy-api.ts";
import { openLabels, type OpenLabels } from "../gate/labels/open-labels.ts";
import { type ExplainCall } from "../gate/explain-call.ts";
import { createRulesApi } from "../gateway/methods/rules-api.ts";
import { createRunApi } from "../gateway/methods/run-api.ts";
import { createSessionMethods } from "../gateway/methods/session-methods.ts";
import type { TellSession } from "../gateway/methods/session-view.ts";
import { createTapeApi } from "../gateway/methods/tape-api.ts";
import { createUndoApi } from "../gateway/methods/undo-api.ts";
import { createUsageApi } from "../gateway/methods/usage-api.ts";

export interface LocalApis extends ControlApis {
  access: Api<"access">;
  approvals: Api<"approvals">;
  audit: Api<"audit">;
  auth: Api<"auth">;
  commands: Api<"commands">;
  context: Api<"context">;
  grants: Api<"grants">;
  outbox: Api<"outbox">;
  deadletters: Api<"deadletters">;
  memory: Api<"memory">;
  models: Api<"models">;
  notices: Api<"notices">;
  owner: Api<"owner">;
  pairing: Api<"pairing">;
  policy: Api<"policy">;
  rules: Api<"rules">;
  runs: Api<"runs">;
  sessions: Api<"sessions">;
  setup: Api<"setup">;
  tape: Api<"tape">;
  undo: Api<"undo">;
  usage: Api<"usage">;
}

/** What a running gateway acts on at once. */
export interface ApiChanges {
  outbox(rows: OutboxRow[]): void;
  turn(turn: TurnRecord): void;
  /** A message that was given up before it had a turn goes its way again. */
  inbox(row: InboxRow): void;
  /** Views of sessions reload. */
  session?: TellSession;
}

export interface LocalApiParts {
  openedHome: Pick<
    OpenHome,
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
    | "holder"
    | "isAlive"
  > & { foundation: Pick<Foundation, "secrets"> };
  /** As it is now. */
  config(): Config;
  say: Say;
  environment: Readonly<Record<string, string | undefined>>;
  redactor: Redactor;
  /** Without a running gateway, the next one finds the changes. */
  onChange?: ApiChanges;
  /** What it takes to ask models; without it, made when somebody asks. */
  connected?: Pick<LazyModels, "room">;
  /** How browsers are signed in; left out where no gateway runs. */
  signIn?: SignInApi | undefined;
  /** What a turn would be told; without it, nobody can say. */
  describeContext?: DescribeContext;
  /** Lets a turn that waited go on at once; without it, the answer is stored and nothing more. */
  answerApproval?: AnswerApproval;
  /** What the gate would say to a call; without it, nobody can say. */
  explainCall?: ExplainCall;
  /** Where memory is searched. */
  memory: Pick<Memory, "search" | "get" | "status" | "sync" | "unconfirmed" | "forget">;
  /** What is known of files; without it, opened here. */
  labels?: OpenLabels | undefined;
  /** What turns changed; left out where it is not kept. */
  snapshots?: Pick<Snapshots, "list" | "find" | "undo" | "diff" | "seen"> | undefined;
  /** What a running gateway knows and does besides; left out where none runs. */
  running?: RunningGateway | undefined;
  /** Told, in words, what is not as it should be. */
  notify(message: string): void;
}

export function createLocalApis(parts: LocalApiParts): LocalApis {
  const { openedHome, config, say, onChange } = parts;
  const { stores, clock } = openedHome;
  const changed: ApiChanges = onChange ?? { outbox: () => {}, turn: () => {}, inbox: () => {} };
  const makeCode = () => makePairingCode(randomBytes);
  const { room } = parts.connected ?? openConnectedModels(parts);
  const apis: LocalApis = {
    ...createControlApis(parts),
    access: createAccessApi({
      access: stores.access,
      clock,
      tenantId: openedHome.tenantId,
      notices: stores.notices,
      config,
      spaces: [openedHome.workspaceId],
      agents: () => [openedHome.defaultAgentId, ...config().agents.list.map(({ id }) => id)],
      signIn: parts.signIn,
    }),
    approvals: createApprovalsApi({
      approvals: stores.approvals,
      turns: stores.turns,
      answer: parts.answerApproval ?? answerInStore(stores),
      redactor: parts.redactor,
    }),
    audit: lazyApi(async () =>
      (await import("../gateway/methods/audit-api.ts")).createAuditApi({
        audit: stores.audit,
        anchors: openedHome.auditAnchors,
        seal: openedHome.auditSeal,
      }),
    ),
    grants: createGrantsApi({ approvals: stores.approvals, redactor: parts.redactor }),
    auth: createAuthApi({
      store: stores.credentials,
      secrets: openedHome.foundation.secrets,
      redactor: parts.redactor,
      environment: parts.environment,
      config,
      clock,
      tenantId: openedHome.tenantId,
      defaultAgentId: openedHome.defaultAgentId,
      logins: createPiOAuth(),
      test: async (credential, signal) => (await room()).testCredential(credential, signal),
    }),
    commands: createCommandsApi({ say }),
    context: createContextApi({ openedHome, config, describe: parts.describeContext ?? nobodyDescribes }),
    outbox: createOutboxApi({ outbox: stores.outbox, clock, onChange: changed.outbox }),
    deadletters: createDeadLetterApi({ ...stores, onChange: changed }),
    memory: createMemoryApi({
      room: parts.memory,
      config,
      defaultAgentId: openedHome.defaultAgentId,
    }),
    models: createModelsApi({
      room,
      config,
      defaultAgentId: openedHome.defaultAgentId,
    }),
    notices: createNoticeApi(stores.notices),
    owner: createOwnerApi({ ...stores, owners: () => config().owners, clock, makeCode }),
    pairing: createPairingApi({
      ...stores,
      welcome: (sender) => welcomePerson({ ...stores, clock, say, onChange: changed }, sender),
      limits: (channel) => limitsOf(config(), channel),
      makeCode,
    }),
    policy: createPolicyApi({
      openedHome,
      config,
      explain: parts.explainCall ?? nobodyExplains,
      files: createFilePolicy({
        stores,
        home: openedHome.home,
        environment: parts.environment,
        config,
        labels: parts.labels ?? openLabels(openedHome),
      }),
    }),
    rules: createRulesApi({
      rulebook: openRulebook(openedHome),
      config,
      defaultAgentId: openedHome.defaultAgentId,
    }),
    runs: createRunApi({ ...stores, clock, ids: openedHome.ids }),
    sessions: createSessionMethods({
      openedHome,
      config,
      say,
      index: parts.memory,
      onChange: changed.session,
    }),
    tape: createTapeApi({ openedHome, config, redactor: parts.redactor, onChange: changed.session }),
    undo: createUndoApi({ openedHome, config, redactor: parts.redactor, snapshots: parts.snapshots }),
    usage: createUsageApi({ openedHome, config }),
    setup: lazyApi(async () =>
      (await import("../operate/setup/setup-api.ts")).createSetupApi({
        ...parts,
        ...configEditing(parts),
        connected: { room },
        neighbours: apis,
      }),
    ),
  };
  return apis;
}

const nobodyDescribes: DescribeContext = async () => {
  throw new Error("nobody here builds requests");
};

const nobodyExplains: ExplainCall = async () => {
  throw new Error("nobody here decides about calls");
};

function limitsOf({ gateway }: Config, channel: string): PairingLimits {
  const { pairingPendingTtlMs: ttlMs, pairingPendingMax: max } = gateway.default;
  const own = Object.hasOwn(gateway.channels, channel) ? gateway.channels[channel] : undefined;
  return { ttlMs: own?.pairingPendingTtlMs ?? ttlMs, max: own?.pairingPendingMax ?? max };
}
