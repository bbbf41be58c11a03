/** The way in: the connectors, the inbox, the door, and where each message belongs. */
import { randomBytes } from "node:crypto";
import type { InboundMessage, MediaStore } from "@pincer/sdk";
import type { AccountState } from "../../channels/account-supervisor.ts";
import { createChannelHost, type ConnectedChannels } from "../../channels/channel-host.ts";
import { createInbox } from "../../channels/inbox.ts";
import { commandRegistry } from "../../routing/command-registry.ts";
import { createDoor } from "../../routing/door.ts";
import type { Lanes } from "../../routing/lanes.ts";
import { makePairingCode } from "../../routing/pairing-code.ts";
import { createEventRecorder } from "../../routing/record-event.ts";
import { createRouter, type CommandRoom, type Router } from "../../routing/router.ts";
import { createSessionUndo } from "../../routing/session-undo.ts";
import { createTape } from "../../routing/tape.ts";
import type { NoticeStore } from "../../storage/notices.ts";
import { beginSession } from "../begin-session.ts";
import type { Hands } from "../hands/hands.ts";
import { openRulebook } from "../open-rulebook.ts";
import type { Engine } from "../turns/engine.ts";
import type { Outgoing } from "./build-outgoing.ts";
import { agentFacts, withSecrets } from "./connectors.ts";
import { doorSettings } from "./door-settings.ts";
import type { GatewayFloor } from "./gateway-floor.ts";
import type { HouseWatch } from "./house-watch.ts";
import { paceIncoming } from "./pace-incoming.ts";
import type { RateLimits } from "../../gateway/limits/rate-limits.ts";
import type { Notifier } from "./notify-owner.ts";

const usualDebounceMs = 300;

export async function buildIncoming(
  floor: GatewayFloor,
  { replies, notifier, deliverer, wake }: Outgoing,
  {
    lanes,
    media,
    hands,
    setups,
    describeContext,
    commandRoom,
    house,
    limits,
    stopping,
  }: Pick<Engine, "setups" | "describeContext"> & {
    commandRoom: CommandRoom;
    limits: RateLimits;
    /** Aborts when the gateway stops. */
    stopping: AbortSignal;
    house?: Pick<HouseWatch, "accountState" | "accountSign" | "door"> | undefined;
    lanes: Lanes;
    media: MediaStore;
    hands: Pick<Hands, "snapshots">;
  },
): Promise<{ router: Router; host: ConnectedChannels }> {
  const { ground, parts, log, config, trouble } = floor;
  const { clock, stores, tenantId, workspaceId } = ground;
  const { say, redactor } = parts;
  const notices = telling(stores.notices, notifier);

  const door = createDoor({
    pairing: stores.pairing,
    ownersOf: () => config().owners,
    settings: (channel, accountId) =>
      doorSettings(config(), channel, floor.account({ channel, accountId })?.door),
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
      await beginSession(ground, session, config().session.reset);
    },
    tape: createTape({ ...stores, leases: ground.leases, mirror: ground.mirror, redactor }),
    rulebook: openRulebook(ground),
    describeContext,
    commandRoom,
    undo: createSessionUndo({ ...stores, ...hands, leases: ground.leases, mirror: ground.mirror, redactor }),
    recordEvent: createEventRecorder({ entries: stores.entries, redactor }),
    settings() {
      const { session, queue, commands } = config();
      return {
        ...agentFacts(config(), ground.defaultAgentId),
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
    channels: floor.connectors,
    accounts: await withSecrets(floor.accounts(), ground.foundation.secrets),
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
