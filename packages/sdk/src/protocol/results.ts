/** What a gateway answers with: plain JSON, and no more of its stores than those who ask need. */
import type { AccessResults } from "./access-methods.ts";
import type { AgentsResults } from "./agents-methods.ts";
import type { AuditResults } from "./audit-methods.ts";
import type { ChannelView, ChannelsResults } from "./channels-methods.ts";
import type { ChatResults } from "./chat-methods.ts";
import type { ConfigResults } from "./config-methods.ts";
import type { GaugesView } from "./gauge-views.ts";
import type { HealthResults } from "./health-methods.ts";
import type { LoginResults } from "./login-methods.ts";
import type { LogsResults } from "./logs-methods.ts";
import type { NodesResults } from "./nodes-methods.ts";
import type { PluginsResults } from "./plugins-methods.ts";
import type { ReachResults } from "./reach-methods.ts";
import type { SendResults } from "./send-methods.ts";
import type { SessionsResults } from "./sessions-methods.ts";
import type { UsageResults } from "./usage-methods.ts";
import type { RunCallView, RunQuestionView, RunSumView } from "./run-views.ts";
import type { SetupResults } from "./setup-methods.ts";
import type { Entry, EntryBody } from "../entry.ts";
import type { Attachment } from "../inbound-message.ts";
import type { Destination } from "../outbound-message.ts";
import type {
  ModelProviderView,
  ModelRefreshView,
  ModelResolutionView,
  ModelStatusView,
  ModelTestView,
  ModelView,
} from "./model-views.ts";
import type { ToolResult } from "../tool.ts";
import type { ApprovalView, CommandFactView, GrantView, PolicyExplanation } from "./approval-views.ts";
import type {
  MemoryIndexView,
  MemorySearchView,
  MemoryStatusView,
  MemoryWindow,
  UnconfirmedLineView,
} from "./memory-views.ts";
import type { TurnChangesView, UndoReportView } from "./undo-views.ts";
import type { ContextView, HandoffView, TapeInfoView, TapeMarkView, TapeSearchView } from "./tape-views.ts";

export interface WelcomeView {
  protocol: number;
  version: string;
  pid: number;
  startedAt: string;
  /** What the config says; `auto` is the language of whoever asks. */
  language: "auto" | "en" | "zh";
  methods: string[];
  /** Those of them that change something, and take an `idempotencyKey`. once: it is remembered while the gateway runs. own: for good. */
  effects: Record<string, "once" | "own">;
  /** Who the gateway takes the other side for. */
  caller: { id: string; name: string; role: string };
  connectionId: string;
  stateVersion: number;
}

export interface GatewayView {
  version: string;
  pid: number;
  startedAt: string;
  socket: string;
  /** Where it is reached over HTTP; null where it does not listen. */
  address?: string | null | undefined;
  /** How many have signed in and are connected now. */
  signedIn?: number | undefined;
  channels: ChannelView[];
  turns: { running: number; waiting: number };
  /** `waiting` counts to 1000. */
  outbox: { waiting: number };
  /** Questions that wait for the owner; counts likewise. */
  approvals: { waiting: number };
  notices: { open: number };
  /** What it measures of itself; left out where it was not asked. */
  gauges?: GaugesView | undefined;
}

export interface RunView {
  runId: string;
  /** Hand the last one's back as `before` for the next page. */
  position: number;
  state: string;
  agentId: string;
  sessionKey: string;
  sessionId: string | null;
  person: { role: string; id: string; name?: string };
  destination: Destination | null;
  rule: string;
  claims: number;
  queuedAt: string;
  startedAt: string | null;
  endedAt: string | null;
  /** How it ended: its `type` and what belongs to it. */
  ending: ({ type: string } & Record<string, unknown>) | null;
  /** What its requests took; null where it made none that is still in the ledger. */
  sum: RunSumView | null;
}

export type RunEventView =
  | { type: "entry"; time: string; entry: Entry }
  | { type: "step"; time: string; step: { type: string } & Record<string, unknown> }
  | { type: "message"; time: string; message: OutboxView };

export interface OutboxView {
  id: string;
  position: number;
  conversation: string;
  destination: Destination;
  kind: string;
  turnId: string | null;
  state: string;
  text: string;
  attachments: Attachment[];
  attempts: number;
  repeated: boolean;
  nextAt: string | null;
  notAfter: string;
  error: { code: string; message: string } | null;
  createdAt: string;
  sentAt: string | null;
}

export interface DeadLetterView {
  id: string;
  /** turn: it was being answered. message: it did not even get that far, and belongs to no session yet. */
  kind: "turn" | "message";
  /** Hand the last one's back as `before` for the next page. */
  position: number;
  sessionKey: string | null;
  person: { role: string; id: string; name?: string };
  destination: Destination | null;
  claims: number;
  queuedAt: string;
  endedAt: string | null;
  /** What was asked, in order. */
  texts: string[];
}

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

export interface NoticeView {
  id: string;
  kind: string;
  subject: string;
  /** Words of the catalogue. */
  text: { key: string; parameters: Record<string, string | number> };
  /** In the language that was asked for. */
  words?: string | undefined;
  createdAt: string;
  dismissedAt: string | null;
}

/** Without `match` the tools may not run at all; with it, not with such arguments. */
export interface RuleDenialView {
  tools: string[];
  match?: string[];
}

/** A standing rule of the owner. */
export interface RuleView {
  id: number;
  text: string;
  /** Null: a reminder. `also` is there where the rule speaks of several things. */
  enforcement: (RuleDenialView & { also?: RuleDenialView[] }) | null;
  /** Null: for every agent. */
  agentId: string | null;
  setBy: string;
  createdAt: string;
}

export interface CredentialView {
  id: string;
  /** Null: it holds for every agent. */
  agentId: string | null;
  provider: string;
  /** api_key, token, oauth, environment, none. */
  type: string;
  /** An account, or the last characters of a key. */
  label: string | null;
  /** login, import, environment, config. */
  source: string;
  state: "ready" | "set-aside" | "expired" | "locked";
  /** Until when it is set aside, or since when it has run out. */
  until: string | null;
  /** Why it is not ready, in the provider's or our words. */
  reason: string | null;
  /** From 1, in the order of trying; null: it is not tried. */
  position: number | null;
  lastUsedAt: string | null;
  lastError: string | null;
  lastErrorAt: string | null;
}

/** unclear: nobody could be asked, or the answer says nothing about the credential. */
export interface CredentialTestView {
  id: string;
  agentId: string | null;
  outcome: "works" | "refused" | "unclear";
  ok: boolean;
  /** One line for people: who answered, or why not. */
  detail: string;
}

type CredentialName = { id: string; agentId: string | null };

/** Tokens as providers counted them; `input` without what came from the cache. Cost in US dollars. */
export interface UsageView {
  calls: number;
  failures: number;
  /** Calls whose tokens we had to count ourselves. */
  estimated: number;
  /** Calls of models whose price nobody knows: their cost is not in the sum. */
  unpriced: number;
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
  total: number;
  cost: number;
}

type Pairings = { pending: PairingView[]; allowed: AllowedView[] };

/** What came of playing a run again. */
export interface ReplayView {
  runId: string;
  /** Whether every entry and the ending came out as they are stored. */
  same: boolean;
  /** Entries that are stored, and that came out. */
  stored: number;
  replayed: number;
  /** How the run ended, as it is stored and as it came out; null where it has not. */
  ending: { stored: string | null; replayed: string | null };
  /** The first entry that is not the same; left out where only the ending differs. */
  difference?: { at: number; stored: EntryBody | null; replayed: EntryBody | null };
}

/** Where a result is `unknown`, it is what the command of the same name prints with `--json`. */
export interface MethodResults
  extends
    AccessResults,
    AgentsResults,
    AuditResults,
    ChannelsResults,
    ChatResults,
    ConfigResults,
    HealthResults,
    LoginResults,
    LogsResults,
    NodesResults,
    PluginsResults,
    ReachResults,
    SendResults,
    SessionsResults,
    SetupResults,
    UsageResults {
  connect: WelcomeView;
  "events.subscribe": { stateVersion: number };
  "events.unsubscribe": Record<string, never>;
  "gateway.status": GatewayView;
  "gateway.stop": { pid: number };
  "gateway.restart": { pid: number };
  "gateway.reload": { inForce: boolean; problems: string[] };
  "tools.invoke": ToolResult;
  "agent.run": { runId: string; duplicate: boolean };
  "agent.continue": { runId: string; duplicate: boolean };
  "agent.wait": unknown;
  "agent.abort": { aborted: boolean };
  "runs.list": { runs: RunView[] };
  /** `calls`: every request to a model, those that failed included, in order. `questions`: what was asked of the owner. */
  "runs.events": {
    run: RunView;
    events: RunEventView[];
    calls: RunCallView[];
    questions: RunQuestionView[];
  };
  "runs.replay": ReplayView;
  "sessions.entries": { entries: Entry[] };
  "sessions.delete": { deleted: string };
  "sessions.import": unknown[];
  "tape.info": TapeInfoView;
  "tape.anchors": { marks: TapeMarkView[] };
  "tape.search": TapeSearchView;
  "tape.handoff": HandoffView;
  /** `endedId` is null where nothing had been said. */
  "tape.reset": { sessionKey: string; sessionId: string; endedId: string | null };
  "context.show": ContextView;
  "backup.create": unknown;
  "backup.list": unknown[];
  "backup.verify": unknown;
  "status.get": unknown;
  "doctor.run": unknown;
  "pairing.list": Pairings;
  "pairing.approve": { approved: PairingView };
  "pairing.revoke": { revoked: Array<Omit<AllowedView, "addedAt" | "by">> };
  "pairing.import": { allowed: number; pending: number; full: number };
  "pairing.export": Pairings;
  "owner.claim": { code: string; expiresAt: string };
  "owner.list": { owners: OwnerView[] };
  "owner.remove": { removed: { channel: string; senderId: string } };
  "outbox.list": { messages: OutboxView[] };
  "outbox.get": { message: OutboxView };
  "outbox.retry": { message: OutboxView };
  "outbox.drop": { dropped: string };
  "deadletters.list": { letters: DeadLetterView[] };
  "deadletters.get": { letter: DeadLetterView };
  "deadletters.retry": { retried: string };
  "deadletters.drop": { dropped: string };
  /** `unasked`: providers of the config that have an address and no list of models yet. */
  "models.list": { models: ModelView[]; unconnected: number; unasked: string[] };
  "models.providers": { providers: ModelProviderView[] };
  "models.resolve": ModelResolutionView;
  "models.status": ModelStatusView;
  "models.test": ModelTestView;
  "models.refresh": ModelRefreshView;
  "auth.status": { credentials: CredentialView[] };
  "auth.put": { stored: CredentialName & { provider: string } };
  "auth.use": { provider: string; order: string[] };
  "auth.logout": { removed: CredentialName };
  "auth.order": { provider: string; order: string[] };
  /**
   * `skipped`: of no use here, because there is nothing in it to send or because it is a login and its provider has none. `hasKey`: nothing
   * was imported, because this provider has a key already.
   */
  "auth.import": {
    imported: string[];
    kept: string[];
    skipped: Array<{ id: string; reason: "empty" | "no-login" }>;
    hasKey?: string;
  };
  /** `leftOut`: those that belong to one agent, where no agent was named. */
  "auth.export": { file: string; credentials: number; leftOut: number };
  "auth.test": { results: CredentialTestView[] };
  "usage.report": { sums: Array<UsageView & { key: string; lastAt: string }>; total: UsageView };
  "usage.totals": { session: UsageView; today: UsageView; month: UsageView };
  "notices.list": { notices: NoticeView[] };
  "notices.dismiss": { dismissed: string };
  "rules.list": { rules: RuleView[] };
  "rules.add": { rule: RuleView; added: boolean };
  "rules.remove": { removed: RuleView };
  /** `waiting`: how many wait in all, counted to 1000. */
  "approvals.list": { approvals: ApprovalView[]; waiting: number };
  /** `others`: what else waits, newest first, at most 20. */
  "approvals.get": { approval: ApprovalView; others: ApprovalView[] };
  /** `goesOn`: the turn is queued again; else it was waiting in place, or waits for another answer. */
  "approvals.approve": { approval: ApprovalView; goesOn: boolean };
  "approvals.deny": { approval: ApprovalView; goesOn: boolean };
  "grants.list": { grants: GrantView[] };
  "grants.revoke": { revoked: string };
  "policy.explain": PolicyExplanation;
  "commands.list": { commands: CommandFactView[] };
  /** `name`: null where the line is no command. `turn`: the line is for a run, or for the last one that goes on; then nothing was said or done. */
  "commands.run": {
    name: string | null;
    output: string;
    turn: { continues: boolean; wishes: Record<string, unknown> } | null;
  };
  "undo.list": { turns: TurnChangesView[] };
  "undo.show": { turn: TurnChangesView };
  "undo.apply": UndoReportView;
  "memory.status": MemoryStatusView;
  "memory.search": MemorySearchView;
  "memory.get": MemoryWindow;
  "memory.index": MemoryIndexView;
  "memory.unconfirmed": { lines: UnconfirmedLineView[] };
  "memory.confirm": { confirmed: UnconfirmedLineView[] };
  "memory.drop": { dropped: UnconfirmedLineView };
}
