/** The way in: the connectors, the inbox, the door, and where each message belongs. */
import { randomBytes } from "node:crypto";
import type { InboundMessage, MediaStore } from "@pincer/sdk";
import type { AccountState } from "../channels/account-supervisor.ts";
import { createChannelHost, type ConnectedChannels } from "../channels/channel-host.ts";
import { createInbox } from "../channels/inbox.ts";
import { commandRegistry } from "../routing/command-registry.ts";
import { createDoor } from "../routing/door.ts";
import type { Lanes } from "../routing/lanes.ts";
import { makePairingCode } from "../routing/pairing-code.ts";
import { createEventRecorder } from "../routing/record-event.ts";
import { createRouter, type CommandServices, type Router } from "../routing/router.ts";
import { createSessionUndo } from "../routing/session-undo.ts";
import { createTape } from "../routing/tape.ts";
import type { NoticeStore } from "../storage/outbox/notices.ts";
import { beginSession } from "../agent/begin-session.ts";
import type { Effects } from "../agent/effects/effects.ts";
import { openRulebook } from "../agent/open-rulebook.ts";
import type { Engine } from "../routing/engine.ts";
import type { Outgoing } from "./build-outgoing.ts";
import { agentFacts, withSecrets } from "./connectors.ts";
import { doorSettings } from "../channels/door-settings.ts";
import type { GatewayContext } from "./gateway-context.ts";
import type { GatewayWatch } from "../gateway/gateway-watch.ts";
import { paceIncoming } from "../gateway/pace-incoming.ts";
import type { RateLimits } from "../gateway/limits/rate-limits.ts";
import type { Notifier } from "../channels/notify-owner.ts";

const usualDebounceMs = 300;

export async function buildIncoming(
  gatewayContext: GatewayContext,
  { replies, notifier, deliverer, wake }: Outgoing,
  {
    lanes,
    media,
    effects,
    setups,
    describeContext,
    commandServices,
    house,
    limits,
    stopping,
  }: Pick<Engine, "setups" | "describeContext"> & {
    commandServices: CommandServices;
    limits: RateLimits;
    /** Aborts when the gateway stops. */
    stopping: AbortSignal;
    house?: Pick<GatewayWatch, "accountState" | "accountSign" | "door"> | undefined;
    lanes: Lanes;
    media: MediaStore;
    effects: Pick<Effects, "snapshots">;
  },
): Promise<{ router: Router; host: ConnectedChannels }> {
  const { openedHome, parts, log, config, trouble } = gatewayContext;
  const { clock, stores, tenantId, workspaceId } = openedHome;
  const { say, redactor } = parts;
  const notices = telling(stores.notices, notifier);

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
    door: house?.door(door) ?? door,
    lanes,
    replies,
    wakeOutbox: wake,
    async beginSession(session) {
      await beginSession(openedHome, session, config().session.reset);
    },
    tape: createTape({ ...stores, leases: openedHome.leases, mirror: openedHome.mirror, redactor }),
    rulebook: openRulebook(openedHome),
    describeContext,
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
        workdirOf: (agentId) => setups.workdirOf(agentId),
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
      signal: stopping,
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
      house?.accountState(now);
      noteState(now).catch((error: unknown) => trouble("notices", error));
    },
    ...(house && { onSign: house.accountSign }),
  });
  return { router, host };
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
