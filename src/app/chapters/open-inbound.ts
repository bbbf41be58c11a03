/** Inbound messages: the connectors, the inbox, admission, and routing. */
import { randomBytes } from "node:crypto";
import type { InboundMessage } from "@pincer/sdk";
import type { AccountState } from "../../channels/account-supervisor.ts";
import { createChannelHost, type ConnectedChannels } from "../../channels/channel-host.ts";
import { createInbox } from "../../channels/inbox.ts";
import { createAssistantOutput } from "../../routing/assistant-output.ts";
import { commandRegistry } from "../../routing/command-registry.ts";
import { createDoor } from "../../routing/door.ts";
import { destinationOf } from "../../routing/find-place.ts";
import { systemChannel } from "../../routing/system-message.ts";
import type { WaitCause } from "../../channels/tell-waiting.ts";
import { makePairingCode } from "../../routing/pairing-code.ts";
import { createEventRecorder } from "../../routing/record-event.ts";
import { createQuestions, type Ask } from "../../routing/questions.ts";
import { createRouter, type Router } from "../../routing/router.ts";
import { createSessionUndo } from "../../routing/session-undo.ts";
import { createTape } from "../../routing/tape.ts";
import type { NoticeStore } from "../../storage/outbox/notices.ts";
import { beginSession } from "../../agent/begin-session.ts";
import { openRulebook } from "../../agent/open-rulebook.ts";
import { openCommandServices, type CommandServicesParts } from "../../gateway/commands/command-services.ts";
import type { ObservedBase } from "./open-observers.ts";
import type { Outbound } from "./open-outbound.ts";
import type { Turns } from "./open-turns.ts";
import { withSecrets } from "../../channels/account-secrets.ts";
import { routingSettings } from "../../routing/routing-settings.ts";
import { doorSettings, withoutStrangers } from "../../channels/door-settings.ts";
import { paceIncoming } from "../../gateway/pace-incoming.ts";
import type { Notifier } from "../../channels/notify-owner.ts";

export interface Inbound {
  router: Router;
  /** The way in for callers who wait. */
  ask: Ask;
  host: ConnectedChannels;
  /** Takes up what was received before and not worked off; what comes meanwhile waits behind it. */
  recover(): void;
  /** Connects the channels. */
  start(): Promise<void>;
  /** What has come in is worked off, unless `withinMs` are over first. */
  drain(withinMs: number): Promise<void>;
  /** Disconnects the channels. */
  close(withinMs: number): Promise<void>;
}

export async function openInbound(
  base: ObservedBase,
  outbound: Outbound,
  turns: Turns,
  signInLink: NonNullable<CommandServicesParts["signInLink"]>,
): Promise<Inbound> {
  const { gatewayContext, parts, limits, stopping } = base;
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
    signInLink,
  });

  const door = createDoor({
    pairing: stores.pairing,
    ownersOf: () => config().owners,
    settings(channel, accountId) {
      const usual = doorSettings(config(), channel, gatewayContext.account({ channel, accountId })?.door);
      const recovery = openedHome.recovery.read();
      return recovery ? withoutStrangers(usual, recovery.isInDoubt === true) : usual;
    },
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
    settings: () => routingSettings(config(), openedHome.defaultAgentId, engine.setups),
    say,
    clock,
    onError: (error) => trouble("routing", error),
    onHeld: ({ message }, error) => tellWaiting(message, { type: "held", error }),
  });

  function tellWaiting(message: InboundMessage, cause: WaitCause): void {
    if (message.channel === systemChannel || message.message.type !== "text") return;
    outbound.waitingLines.tell(
      {
        destination: destinationOf(message),
        person: `${message.channel}:${message.sender.id}`,
        mayHear: () => door.isAdmitted(message).catch(() => door.isAdmittedByConfig(message)),
      },
      cause,
    );
  }

  base.turnEvents.subscribe(
    createAssistantOutput({
      ...stores,
      walk: router.ask,
      isOn: () => config().commands.assistantOutput,
      tenantId,
      now: () => clock.now(),
      onError: (error) => trouble("routing", error),
    }),
  );
  const ask = createQuestions({
    ...openedHome,
    ...stores,
    walk: router.ask,
    redactor,
    route: engine.route,
    setups: engine.setups,
    wishes: turns.wishes,
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
      onWait: ({ message }) => tellWaiting(message, { type: "too-fast" }),
      signal: stopping.signal,
      onError: (error) => trouble("routing", error),
    }),
    onRefused: (message, error) => tellWaiting(message, { type: "not-stored", error }),
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
  return {
    router,
    ask,
    host,
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
