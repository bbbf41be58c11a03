/**
 * The one table of what a gateway can be asked. Each method has a schema of its parameters; what it answers with is in
 * `results.ts`. A method with an effect takes an `idempotencyKey`: the same key with the same parameters is done once and answered
 * alike each time.
 */
import { Type, type Static, type TObject } from "typebox";
import { eventTopics } from "./events.ts";
import { accessMethods } from "./access-methods.ts";
import { agentsMethods } from "./agents-methods.ts";
import { approvalScopes, approvalStates } from "./approval-views.ts";
import { auditMethods } from "./audit-methods.ts";
import { channelsMethods } from "./channels-methods.ts";
import { chatMethods } from "./chat-methods.ts";
import { configMethods } from "./config-methods.ts";
import { healthMethods } from "./health-methods.ts";
import { loginMethods } from "./login-methods.ts";
import { logsMethods } from "./logs-methods.ts";
import { nodesMethods } from "./nodes-methods.ts";
import { pluginsMethods } from "./plugins-methods.ts";
import { reachMethods } from "./reach-methods.ts";
import { sendMethods } from "./send-methods.ts";
import { sessionsMethods } from "./sessions-methods.ts";
import { usageMethods } from "./usage-methods.ts";
import { setupMethods } from "./setup-methods.ts";
import {
  before,
  change,
  language,
  limit,
  moment,
  name,
  ofAgent,
  read,
  session,
  strict,
  type Method,
} from "./method.ts";

const sender = { channel: name, accountId: Type.Union([name, Type.Null()]), senderId: name };
const place = { channel: Type.Optional(name), accountId: Type.Optional(name) };

const turnWishes = {
  provider: Type.Optional(name),
  model: Type.Optional(name),
  credential: Type.Optional(name),
  tools: Type.Optional(
    Type.Object(
      {
        enabled: Type.Optional(Type.Boolean()),
        allow: Type.Optional(Type.Array(name, { maxItems: 1000 })),
        maxSteps: Type.Optional(Type.Integer({ minimum: 1 })),
      },
      strict,
    ),
  ),
  /** How much it thinks before it answers; see the config key `agents.*.thinkingDefault`. */
  thinking: Type.Optional(Type.Enum(["off", "minimal", "low", "medium", "high", "xhigh"])),
  /** The very line, comma included, that the run is to hand to the shell: the input as its owner wrote it. */
  shellLine: Type.Optional(Type.String({ maxLength: 20_000 })),
  /** How much the prompt tells; see the config key `agents.*.context.strategy`. */
  context: Type.Optional(Type.Enum(["full", "minimal", "none", "lite", "custom"])),
  /** Somebody is there to answer questions. wait: for a while in place, then the run waits by itself. once: unanswered, it is a no. */
  attended: Type.Optional(Type.Enum(["wait", "once"])),
};

const approvalId = Type.String({ minLength: 1, maxLength: 64 });

export const methods = {
  /**
   * The first request of a connection; the versions must be equal. `auth` is for those who did not show anything when they connected; what
   * `device` signs is bound to the challenge that the gateway sent first.
   */
  connect: read({
    protocol: Type.Integer(),
    client: Type.Object({ name, version: Type.String({ maxLength: 100 }) }, strict),
    auth: Type.Optional(
      Type.Object(
        {
          token: Type.Optional(Type.String({ minLength: 1, maxLength: 8192 })),
          device: Type.Optional(
            Type.Object(
              {
                publicKey: Type.String({ minLength: 1, maxLength: 100 }),
                signature: Type.String({ minLength: 1, maxLength: 200 }),
                name: Type.String({ minLength: 1, maxLength: 100 }),
                wants: Type.Enum(["owner", "admin", "developer", "viewer", "auditor", "node"]),
              },
              strict,
            ),
          ),
        },
        strict,
      ),
    ),
  }),

  /** From now on events of these topics come, as far as the caller may see them; without topics, of all. Replaces what was subscribed before. */
  "events.subscribe": read({ topics: Type.Optional(Type.Array(Type.Enum([...eventTopics]))) }),
  "events.unsubscribe": read({}),

  "gateway.status": read({}),
  /** Answers at once; the gateway then finishes what runs, within its bound, and ends. */
  "gateway.stop": change({}),
  /** Answers at once; the gateway then finishes or parks what runs, and serves again in the same process: nothing is lost. */
  "gateway.restart": change({}),
  /** Takes the config file up now; answers when it is in force, or with why the gateway refuses it. */
  "gateway.reload": change({ language }),

  /** Queues a turn and answers when it is on the disk. The key is kept with it: asked again, the same run is the answer. */
  "agent.run": {
    params: Type.Object(
      {
        input: Type.String({ minLength: 1 }),
        sessionKey: Type.Optional(Type.String({ maxLength: 1024 })),
        agentId: Type.Optional(name),
        ...turnWishes,
        newSession: Type.Optional(Type.Boolean()),
        memory: Type.Optional(Type.Boolean()),
        /** The run sums the session up, and does nothing else. */
        compact: Type.Optional(
          Type.Object({ instructions: Type.Optional(Type.String({ maxLength: 10_000 })) }, strict),
        ),
        workdir: Type.Optional(Type.String({ minLength: 1, maxLength: 4096 })),
        idempotencyKey: Type.String({ minLength: 1, maxLength: 200 }),
      },
      strict,
    ),
    effect: "own",
  },
  /**
   * Goes on with the last run of the session, or with `runId`, where it stopped at a limit or because no model answered; with `input` as the
   * next words. It keeps the wishes that it was started with, but for those given here. The key is kept as with `agent.run`.
   */
  "agent.continue": {
    params: Type.Object(
      {
        sessionKey: Type.Optional(Type.String({ maxLength: 1024 })),
        agentId: Type.Optional(name),
        runId: Type.Optional(name),
        input: Type.Optional(Type.String({ minLength: 1 })),
        ...turnWishes,
        idempotencyKey: Type.String({ minLength: 1, maxLength: 200 }),
      },
      strict,
    ),
    effect: "own",
  },
  /**
   * Answers when the run has ended. With `after`, what is stored of it comes first: each entry with a number above it as agent.step, then what
   * is being said as agent.snapshot; so whoever was cut off goes on where they were. With `stream` its events come meanwhile: agent.delta, agent.start_over (forget the deltas so far), agent.tool_call, agent.tool_result, agent.approval, agent.approval_answered.
   */
  "agent.wait": read({
    runId: name,
    stream: Type.Optional(Type.Boolean()),
    after: Type.Optional(Type.Integer({ minimum: 0 })),
  }),
  "agent.abort": change({ runId: name }),

  /**
   * Runs a tool by the owner's own hand. Programs that it starts are those of the agent's main session, and go on when it has answered. No gateway
   * is as quick as the tool: it answers when the tool has, or stops it when the connection closes.
   */
  "tools.invoke": change({
    name,
    arguments: Type.Unknown(),
    ...ofAgent,
    workdir: Type.Optional(Type.String({ minLength: 1, maxLength: 4096 })),
  }),

  /** Newest first; those of some states with `states`, those of one agent with `agentId`. */
  "runs.list": read({
    limit,
    before,
    sessionKey: Type.Optional(Type.String({ maxLength: 1024 })),
    agentId: Type.Optional(name),
    states: Type.Optional(
      Type.Array(Type.Enum(["queued", "running", "waiting", "done", "failed", "dead"]), {
        minItems: 1,
        maxItems: 6,
      }),
    ),
  }),
  /** What happened in a run, in order. */
  "runs.events": read({ runId: name }),
  /** Plays the run again, against the answers and results that were recorded, in a database of its own: nothing is asked, run or sent. */
  "runs.replay": read({ runId: name }),

  /** By id, or by key in any spelling. */
  "sessions.find": read({ idOrKey: Type.String({ maxLength: 1024 }) }),
  /** Entries with a number above `after`, in order; a page may hold fewer than asked for, and is empty only at the end. */
  "sessions.entries": read({ sessionId: name, after: Type.Integer({ minimum: 0 }), limit }),
  "sessions.delete": change({ sessionId: name }),
  /** Transcript files on the gateway's machine. */
  "sessions.import": change({
    paths: Type.Array(Type.String({ minLength: 1 }), { maxItems: 10_000 }),
    language,
  }),

  /** What is kept of a session. `session` is an id or a key in any spelling, here and below; left out, the main session. */
  "tape.info": read({ session }),
  /** Anchors and summaries, newest first. */
  "tape.anchors": read({ session, limit }),
  /** Newest first, over every session of the key. What stands between quotes is one term; a hit holds all of them. */
  "tape.search": read({ session, words: Type.String({ minLength: 1, maxLength: 2000 }), limit }),
  /** Makes an anchor: from now on context starts behind it, with the summary as its opening. `words` are both, as they stand behind the command in a chat. */
  "tape.handoff": change({
    session,
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    summary: Type.Optional(Type.String({ maxLength: 20_000 })),
    words: Type.Optional(Type.String({ maxLength: 20_000 })),
  }),
  /** Ends the active session of the key and begins another; what was said stays. */
  "tape.reset": change({ session }),
  /** What the next request of a session would hold, and why. The text comes with the part that `text` names. */
  "context.show": read({ session, agentId: Type.Optional(name), text: Type.Optional(name) }),

  /** Tells how far it is as backup.progress. */
  "backup.create": change({
    directory: Type.Optional(Type.String({ minLength: 1 })),
    withKey: Type.Boolean(),
  }),
  "backup.list": read({ language }),
  "backup.verify": read({ directory: Type.String({ minLength: 1 }), language }),

  "status.get": read({ language }),
  /** Looks and repairs nothing. Tells how far it is as doctor.progress. */
  "doctor.run": read({ language }),

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

  /** Newest first; without states, those that are not over well. */
  "outbox.list": read({
    limit,
    before,
    states: Type.Optional(
      Type.Array(Type.Enum(["queued", "sending", "uncertain", "sent", "failed", "dropped"])),
    ),
  }),
  "outbox.get": read({ id: name }),
  "outbox.retry": change({ id: name }),
  "outbox.drop": change({ id: name }),

  /** Messages that never had a turn, then turns; each newest first. */
  "deadletters.list": read({ limit, before }),
  "deadletters.get": read({ id: name }),
  "deadletters.retry": change({ id: name }),
  "deadletters.drop": change({ id: name }),

  /** Models of providers that can be used now, of `provider`, or of all. */
  "models.list": read({
    provider: Type.Optional(name),
    search: Type.Optional(name),
    all: Type.Optional(Type.Boolean()),
  }),
  "models.providers": read({}),
  /** What is meant by the name of a model. */
  "models.resolve": read({ reference: name }),
  /** Who answers for an agent, and why not another. */
  "models.status": read({ agentId: Type.Optional(name) }),
  /** Asks a model a tiny question; without a name, the one that answers. */
  "models.test": change({ reference: Type.Optional(name), agentId: Type.Optional(name) }),
  /** Asks the provider for its models and keeps the answer. */
  "models.refresh": change({ provider: name }),

  /** What there is to prove to providers who asks, as `agentId` sees it; nothing secret is in it. */
  "auth.status": read({ provider: Type.Optional(name), agentId: Type.Optional(name) }),
  /** Stores or replaces one and sees to it that it is tried. `force`: also for a provider or an agent that nobody knows. */
  "auth.put": change({
    id: name,
    ...ofAgent,
    provider: name,
    type: Type.Enum(["api_key", "token", "oauth"]),
    secret: Type.Record(Type.String(), Type.Unknown()),
    source: name,
    force: Type.Optional(Type.Boolean()),
  }),
  /** From now on the first to be tried. */
  "auth.use": change({ id: name, ...ofAgent }),
  "auth.logout": change({ id: name, ...ofAgent }),
  /** Without `ids` only tells; an empty list takes the order away. */
  "auth.order": change({
    provider: name,
    ids: Type.Optional(Type.Array(name, { maxItems: 1000 })),
    ...ofAgent,
  }),
  /** A file on the gateway's machine. All of it is read before anything is changed. */
  "auth.import": change({
    from: Type.Enum(["file", "claude-cli", "codex-cli"]),
    file: Type.String({ minLength: 1 }),
    force: Type.Optional(Type.Boolean()),
    ...ofAgent,
  }),
  /** Into a file on the gateway's machine, secrets included: they never come back over the wire. */
  "auth.export": change({
    file: Type.String({ minLength: 1 }),
    force: Type.Optional(Type.Boolean()),
    ...ofAgent,
  }),
  /** Asks the provider; without an id, for each that is tried and each that an agent has of its own. */
  "auth.test": change({ id: Type.Optional(name), ...ofAgent }),

  /**
   * What models have used, summed by what `by` names, the most expensive first. `from` and `to` are moments; `to` is not within. `session`
   * is an id or a key in any spelling.
   */
  "usage.report": read({
    by: Type.Enum(["model", "session", "agent", "day", "credential"]),
    from: moment,
    to: moment,
    session: Type.Optional(Type.String({ maxLength: 1024 })),
    agentId: Type.Optional(name),
    limit,
  }),
  /** Of one session, and of everything today and this month (UTC). */
  "usage.totals": read({ session: Type.Optional(Type.String({ maxLength: 1024 })) }),

  /** Newest first; the open ones unless `all`. With a language, each in words. */
  "notices.list": read({ limit, all: Type.Optional(Type.Boolean()), language }),
  "notices.dismiss": change({ id: name }),

  /** By id; those of an agent are those for every agent and its own. */
  "rules.list": read(ofAgent),
  /** `deny` and `match` stand instead of what the words say; with `remind` nothing is enforced. The same words again are the rule that is there. */
  "rules.add": change({
    text: Type.String({ maxLength: 10_000 }),
    ...ofAgent,
    deny: Type.Optional(Type.Array(name, { maxItems: 100 })),
    match: Type.Optional(Type.Array(name, { maxItems: 100 })),
    remind: Type.Optional(Type.Boolean()),
  }),
  "rules.remove": change({ id: Type.Integer({ minimum: 1 }) }),

  /** Without states, those that wait come first; newest first within. */
  "approvals.list": read({
    limit,
    states: Type.Optional(Type.Array(Type.Enum([...approvalStates]), { maxItems: approvalStates.length })),
  }),
  /** By id, upper and lower case alike; the beginning of an id is enough where only one that waits begins so. Here and below. */
  "approvals.get": read({ id: approvalId }),
  /** Without a scope, this very call and no other. A question that is settled is not answered again. */
  "approvals.approve": change({ id: approvalId, scope: Type.Optional(Type.Enum([...approvalScopes])) }),
  "approvals.deny": change({ id: approvalId }),
  /** What holds beyond one call, newest first. */
  "grants.list": read({ limit }),
  /** From now on it is asked about again. */
  "grants.revoke": change({ id: name }),

  /**
   * What the gate would say to a call, and which rule decides. `as` is whoever would make it, and where; without it the owner, in the main
   * session. Nothing is run, and nobody is asked.
   */
  "policy.explain": read({
    tool: name,
    arguments: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    as: Type.Optional(
      Type.Object(
        {
          role: Type.Optional(Type.Enum(["owner", "peer", "group"])),
          channel: Type.Optional(name),
          chatId: Type.Optional(name),
          sessionKey: session,
          agentId: Type.Optional(name),
        },
        strict,
      ),
    ),
    language,
  }),

  /** The commands of a chat, for completing what is typed. */
  "commands.list": read({ language }),
  /** Runs a line as a command of the session, by the owner; without a session, the main one. What is for a run is not begun: `turn` says with which wishes. */
  "commands.run": change({ session, line: Type.String({ minLength: 1, maxLength: 20_000 }), language }),

  /** What turns changed in workdirs, newest first; of one session, or of all. */
  "undo.list": read({ session, limit }),
  /** Without a turn, the newest of the session that is not undone; without a session, the main one. */
  "undo.show": read({ turnId: Type.Optional(name), session }),
  /** Puts back what the turn changed, but for what was changed again since; with `force` that, too. A turn that is not of the session is not found in it. */
  "undo.apply": change({ turnId: Type.Optional(name), session, force: Type.Optional(Type.Boolean()) }),

  /** How much is indexed, how far it is behind, and whose vectors are used; of one agent, or of all. */
  "memory.status": read(ofAgent),
  /** What the owner may find of an agent, best first; writes nothing. */
  "memory.search": read({ ...ofAgent, text: Type.String({ minLength: 1, maxLength: 10_000 }), limit }),
  /** Lines of a place that a search named, as the owner may read them. */
  "memory.get": read({
    ...ofAgent,
    path: Type.String({ minLength: 1, maxLength: 1024 }),
    startLine: Type.Optional(Type.Integer({ minimum: 1 })),
    endLine: Type.Optional(Type.Integer({ minimum: 1 })),
  }),
  /** Brings the index up to date and answers when it is, or when the connection closes; `memory.status` tells meanwhile how far it is. */
  "memory.index": change({
    ...ofAgent,
    rebuild: Type.Optional(Type.Boolean()),
    embed: Type.Optional(Type.Boolean()),
  }),
  /** Lines that were learnt from others and wait for the owner's word; each has a ref that stays while the line does. */
  "memory.unconfirmed": read(ofAgent),
  /** The owner stands behind a line: `ref`, or with `all` every one that waits. */
  "memory.confirm": change({
    ...ofAgent,
    ref: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
    all: Type.Optional(Type.Boolean()),
  }),
  /** Deletes a line that waits. */
  "memory.drop": change({ ...ofAgent, ref: Type.String({ minLength: 1, maxLength: 64 }) }),

  ...accessMethods,
  ...agentsMethods,
  ...auditMethods,
  ...channelsMethods,
  ...chatMethods,
  ...configMethods,
  ...healthMethods,
  ...loginMethods,
  ...logsMethods,
  ...nodesMethods,
  ...pluginsMethods,
  ...reachMethods,
  ...sendMethods,
  ...sessionsMethods,
  ...usageMethods,
  ...setupMethods,
} as const satisfies Record<string, Method<TObject>>;

export type MethodName = keyof typeof methods;
export type MethodParams<Name extends MethodName> = Static<(typeof methods)[Name]["params"]>;

/** The methods of one family by their verb: `FamilyOf<"outbox">` has `list`, `get`, `retry` and `drop`. */
export type FamilyOf<Family extends string> = {
  [Name in MethodName as Name extends `${Family}.${infer Verb}` ? Verb : never]: Name;
};
