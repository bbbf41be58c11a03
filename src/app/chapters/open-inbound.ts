/** The way in: the connectors, the inbox, the door, and where each message belongs. */
import { randomBytes } from "node:crypto";
import type { InboundMessage } from "@pincer/sdk";
import type { AccountState } from "../../channels/account-supervisor.ts";
import { createChannelHost, type ConnectedChannels } from "../../channels/channel-host.ts";
import { createInbox } from "../../channels/inbox.ts";
import { commandRegistry } from "../../routing/command-registry.ts";
import { createDoor } from "../../routing/door.ts";
import { makePairingCode } from "../../routing/pairing-code.ts";
import { createEventRecorder } from "../../routing/record-event.ts";
import { createRouter, type Router } from "../../routing/router.ts";
import { createSessionUndo } from "../../routing/session-undo.ts";
import { createTape } from "../../routing/tape.ts";
import type { NoticeStore } from "../../storage/outbox/notices.ts";
import { beginSession } from "../../agent/begin-session.ts";
import { openRulebook } from "../../agent/open-rulebook.ts";
import { openCommandServices } from "../../gateway/commands/command-services.ts";
import type { GatewayBase } from "./open-base.ts";
import type { Outbound } from "./open-outbound.ts";
import type { Turns } from "./open-turns.ts";
import { agentFacts, withSecrets } from "../connectors.ts";
import { doorSettings } from "../../channels/door-settings.ts";
import { paceIncoming } from "../../gateway/pace-incoming.ts";
import type { Notifier } from "../../channels/notify-owner.ts";

const usualDebounceMs = 300;

export interface Inbound {
  router: Router;
  host: ConnectedChannels;
  commandServices: ReturnType<typeof openCommandServices>;
  /** Takes up what was received before and not worked off; what comes meanwhile waits behind it. */
  recover(): void;
  /** Connects the channels. */
  start(): Promise<void>;
  /** What has come in is worked off, unless `withinMs` are over first. */
  drain(withinMs: number): Promise<void>;
  /** Disconnects the channels. */
  close(withinMs: number): Promise<void>;
}

export async function openInbound(base: GatewayBase, outbound: Outbound, turns: Turns): Promise<Inbound> {
  const { gatewayContext, parts, live, limits, stopping } = base;
  const { watch } = base.observers;
  const { replies, notifier, deliverer, wake } = outbound;
  const { lanes, media, effects, memory, engine } = turns;
  const { openedHome, log, config, trouble } = gatewayContext;
  const { clock, stores, tenantId, workspaceId } = openedHome;
  const { say, redactor } = parts;
  const notices = telling(stores.notices, notifier);
  const commandServices = openCommandServices(openedHome, parts, {
    config,
    memory,
    engine,
    answerApproval: engine.approvals.answer,
    signInLink: (by) => live.signInLink(by),
  });

  const door = createDoor({
    pairing: stores.pairing,
    ownersOf: () => config().owners,
    settings: (channel, accountId) =>
      doorSettings(config(), channel, gatewayContext.account({ channel, accountId })?.door),
    makeCode: () => makePairingCode(randomBytes),
    clock,
  });
  const router = createRouter({
    stores: { ...stores, notices },
    door: watch.door(door),
    lanes,
    replies,
    wakeOutbox: wake,
    async beginSession(session) {
      await beginSession(openedHome, session, config().session.reset);
    },
    tape: createTape({ ...stores, leases: openedHome.leases, mirror: openedHome.mirror, redactor }),
    rulebook: openRulebook(openedHome),
    describeContext: engine.describeContext,
    commandServices,
    undo: createSessionUndo({
      ...stores,
      ...effects,
      leases: openedHome.leases,
      mirror: openedHome.mirror,
      redactor,
    }),
    recordEvent: createEventRecorder({ entries: stores.entries, redactor }),
    settings() {
      const { session, queue, commands } = config();
      return {
        ...agentFacts(config(), openedHome.defaultAgentId),
        ...session,
        queueMode: queue.mode,
        queueCap: queue.cap,
        debounceMs: queue.debounceMs ?? usualDebounceMs,
        commandPrefixes: commands.prefixes,
        shellPassthrough: commands.shellPassthrough,
        workdirOf: (agentId) => engine.setups.workdirOf(agentId),
      };
    },
    say,
    clock,
    onError: (error) => trouble("routing", error),
  });
  const inbox = createInbox({
    inbox: stores.inbox,
    tenantId,
    workspaceId,
    log,
    redactor,
    onStored: paceIncoming({
      limits,
      tenantId,
      inbox: stores.inbox,
      clock,
      take: (row) => router.accept(row),
      signal: stopping.signal,
      onError: (error) => trouble("routing", error),
    }),
  });

  /** A channel that cannot work is the owner's business until it does, or is no longer wanted. */
  async function noteState({ channel, accountId, state, reason = "" }: AccountState): Promise<void> {
    const subject = `channel:${channel}:${accountId}`;
    if (state === "broken") {
      const text = { key: "notice.channel-broken", parameters: { channel, accountId, reason } };
      await notices.add({ kind: "channel-broken", subject, text });
    } else if (state === "connected" || state === "stopped") await notices.dismiss(subject);
  }

  const host = createChannelHost({
    channels: gatewayContext.connectors,
    accounts: await withSecrets(gatewayContext.accounts(), openedHome.foundation.secrets),
    inbox,
    cursors: stores.cursors,
    media,
    say,
    clock,
    log,
    redactor,
    random: Math.random,
    isWelcome: (account, from) =>
      door.isAdmitted({
        ...from,
        ...account,
        tenantId,
        workspaceId,
        message: spokenTo,
        timestamp: clock.now(),
      }),
    commands: () => commandRegistry.map(({ name, help }) => ({ name, description: say(help) })),
    onState(now) {
      const { channel, accountId, state, reason } = now;
      log.info(`${channel}/${accountId}: ${state}${reason ? ` (${reason})` : ""}`, { channel, accountId });
      deliverer.connectionChanged(channel, accountId);
      watch.accountState(now);
      noteState(now).catch((error: unknown) => trouble("notices", error));
    },
    onSign: watch.accountSign,
  });
  live.received = router.accept;
  live.accounts = host.states;
  live.connection = host.connection;
  live.renew = host.renew;
  return {
    router,
    host,
    commandServices,
    recover: () => void router.recover().catch((error: unknown) => trouble("routing", error)),
    start: host.start,
    drain: async (withinMs) => void (await router.drain(withinMs)),
    close: host.stop,
  };
}

/** Also what a group only overhears is read there. */
const spokenTo: InboundMessage["message"] = {
  type: "text",
  id: "-",
  text: "",
  attachments: [],
  mentioned: true,
};

/** The owner hears of what is noted on the way in as of everything else. */
const telling = (notices: NoticeStore, notifier: Notifier): NoticeStore => ({
  ...notices,
  async add(draft) {
    const added = await notices.add(draft);
    notifier.look();
    return added;
  },
});
