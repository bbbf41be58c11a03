/** For tests: the conversation tools on memory stores, with two networks of two accounts each and people on them. */
import {
  recipientOf,
  type Destination,
  type ToolCallContext,
  type ToolResult,
  type ToolVisibility,
} from "@pincer/sdk";
import { createRecordingChannel, type LedgerItem, type RecordingChannel } from "@pincer/sdk/testing";
import { readAccounts } from "../../accounts.ts";
import { createReplies } from "../../replies.ts";
import { createDeliveryStage, type DeliveryStage } from "../../testing/delivery-stage.ts";
import { defaultChannel, defaultConfig } from "../../../config/default-config.ts";
import type { Config } from "../../../config/schema.ts";
import { createIds } from "../../../infra/ids.ts";
import { createSay } from "../../../infra/texts.ts";
import type { InboxRow } from "../../../storage/inbox/inbox.ts";
import type { OpenSession, SessionOrigin, SessionRecord } from "../../../storage/stores.ts";
import type { EnqueueTurn, TurnRecord } from "../../../storage/turns/turns.ts";
import { inbound } from "../../../storage/testing/message-samples.ts";
import { say as entry } from "../../../storage/testing/samples.ts";
import { createConversationTools } from "../../../tools/conversation/conversation-tools.ts";
import type { ConversationAccess } from "../../../tools/conversation/conversation-access.ts";
import { createToolExecutor } from "../../../tools/tool-executor.ts";
import { createToolSet, type ToolSet } from "../../../tools/tool-set.ts";
import { createConversationAccess } from "../create-conversation-access.ts";

export type CallFrom = Pick<ToolCallContext, "place" | "conversation" | "turnId" | "exact">;

export interface ConversationStage extends Pick<
  DeliveryStage,
  "stores" | "clock" | "run" | "restart" | "redactor"
> {
  /** Of the first network. */
  faults: RecordingChannel["faults"];
  tools: ToolSet;
  access: ConversationAccess;
  /** What people see on both networks: `telegram/default:42 text`. */
  seen(): string[];
  ledger(channel?: string): LedgerItem[];
  /** Rows that the router was notified of. */
  received: InboxRow[];
  config: Config;
  replies: ReturnType<typeof createReplies>;
  call(name: string, input: object, from: CallFrom): Promise<ToolResult>;
  describe(name: string, input: object, from: CallFrom): Promise<Record<string, unknown>>;
  session(sessionKey: string, origin?: SessionOrigin, more?: Partial<OpenSession>): Promise<SessionRecord>;
  /** A turn that is queued for a message. */
  turn(request: Partial<EnqueueTurn> & { sessionKey: string }): Promise<TurnRecord>;
}

export const at = (
  channel: string,
  peerId: string,
  {
    accountId = "default",
    peerKind = "user",
    threadId,
  }: Partial<Destination["target"]> & { accountId?: string } = {},
): Destination => ({
  channel,
  accountId,
  target: { peerKind, peerId, ...(threadId !== undefined && { threadId }) },
});

const place = (more: Partial<ToolVisibility>): ToolVisibility => ({
  agentId: "main",
  sessionKey: "agent:main:main",
  chatType: "main",
  userRoles: ["owner"],
  channel: "telegram",
  ...more,
});

/** The owner in a chat of their own; `1` on Telegram. */
export const owner: CallFrom = { place: place({}), conversation: at("telegram", "1") };

/** Somebody who was let in: `42`, called Ada. */
export const ada: CallFrom = {
  place: place({ sessionKey: "agent:main:telegram:dm:42", chatType: "direct", userRoles: ["peer"] }),
  conversation: at("telegram", "42"),
};

/** A group that is answered, in which the owner speaks. */
export const ownerInGroup: CallFrom = {
  place: place({ sessionKey: "agent:main:telegram:group:-7", chatType: "group" }),
  conversation: at("telegram", "-7", { peerKind: "group" }),
};

const channel = (more: object) => ({ ...defaultChannel, ...more });

export const usualConfig = {
  owners: ["telegram:1"],
  contacts: {
    Bob: ["telegram:77"],
    "Anna Meier": ["anna@example.org", "slack/work:U5"],
    Family: ["telegram:-9"],
  },
  session: { ...defaultConfig.session, identityLinks: { carla: ["slack:U9", "telegram:99"] } },
  channels: {
    telegram: channel({ dmPolicy: "pairing", allowFrom: ["42", "99"], groups: ["-7"] }),
    slack: channel({
      dmPolicy: "allowlist",
      allowFrom: ["U1"],
      accounts: { default: {}, work: { allowFrom: ["U5", "U6"] } },
    }),
    signal: channel({ enabled: false, allowFrom: ["42"] }),
  },
};

export async function stageConversation(change: object = {}): Promise<ConversationStage> {
  // A copy: a test may change its own.
  const config = structuredClone({ ...defaultConfig, ...usualConfig, ...change }) as unknown as Config;
  const networks = [createRecordingChannel({ id: "telegram" }), createRecordingChannel({ id: "slack" })];
  const delivery = await createDeliveryStage({ networks, accounts: ["default", "work"] });
  const { stores, clock, redactor } = delivery;
  const received: InboxRow[] = [];
  const replies = createReplies({ traitsOf: () => ({ textLimit: 400 }), clock, notAfterMs: 3_600_000 });
  const access = createConversationAccess({
    config: () => config,
    accounts: () => readAccounts(config.channels),
    stores,
    tenantId: "acme",
    workspaceId: "w1",
    clock,
    ids: createIds(clock.now),
    redactor,
    say: createSay("en"),
    replies,
    wake: (rows) => delivery.deliverer().wake(rows),
    received: (row) => void received.push(row),
  });
  const tools = createToolSet(createConversationTools(access));
  const executor = createToolExecutor({ tools, clock });
  let count = 0;

  const signal = new AbortController().signal;
  return {
    stores,
    clock,
    redactor,
    run: delivery.run,
    restart: delivery.restart,
    faults: delivery.network.faults,
    tools,
    access,
    received,
    config,
    replies,
    ledger: (id) =>
      networks
        .filter((network) => id === undefined || network.channel.id === id)
        .flatMap(({ ledger }) => ledger),
    seen: () =>
      networks.flatMap(({ channel: { id }, ledger }) =>
        ledger.map(
          ({ accountId, target, text }) => `${recipientOf({ channel: id, accountId, target })} ${text}`,
        ),
      ),
    call: (name, input, from) =>
      executor.execute(
        { name, arguments: input },
        { callId: "call_1", sessionKey: from.place?.sessionKey ?? "", signal, ...from },
      ),
    async describe(name, input, from) {
      return { ...(await tools.find(name)?.describe?.(input, from)) };
    },
    async session(sessionKey, origin = { channel: "cli" }, more = {}) {
      const asked = { sessionKey, workspaceId: "w1", agentId: "main", origin, cwd: "/", ...more };
      return (await stores.sessions.open(asked)).session;
    },
    async turn({ sessionKey, ...more }) {
      const { row } = await stores.inbox.accept(inbound(`in ${++count}`));
      const outcome = await stores.turns.enqueue({
        inputs: [row.id],
        session: {
          sessionKey,
          workspaceId: "w1",
          agentId: "main",
          origin: { channel: "telegram" },
          cwd: "/",
        },
        destination: at("telegram", "1"),
        person: { role: "owner", id: "telegram:1" },
        rule: "default",
        options: {},
        mode: "followup",
        cap: 100,
        ...more,
      });
      if (outcome.type !== "queued") throw new Error(`not queued but ${outcome.type}`);
      return outcome.turn;
    },
  };
}

export const textIn = ({ content }: ToolResult): string =>
  content.map((block) => (block.type === "text" ? block.text : "")).join("\n");

export const adasKey = "agent:main:telegram:dm:42";
export const groupKey = "agent:main:telegram:group:-7";

/** The owner's own chat, Ada's, a group, and one of another agent, in this order. */
export async function stageSessions(): Promise<ConversationStage> {
  const made = await stageConversation();
  const said = async (
    key: string,
    text: string,
    origin: Parameters<typeof made.session>[1],
    agentId = "main",
  ) => {
    const { sessionId } = await made.session(key, origin, { agentId });
    await made.stores.entries.append(sessionId, [entry(text), entry(`answer to ${text}`, "assistant")]);
    await made.clock.advance(60_000);
  };
  await said("agent:main:main", "my diary", { channel: "telegram", accountId: "default", peerKey: "user:1" });
  await said(adasKey, "Ada's secret", {
    channel: "telegram",
    accountId: "default",
    peerKey: "user:42",
    subject: 'Ada" running\nagent:x',
  });
  await said(groupKey, "hello club", {
    channel: "telegram",
    accountId: "default",
    peerKey: "group:-7",
    subject: "The club",
  });
  await said("agent:other:main", "of another agent", { channel: "cli" }, "other");
  return made;
}
