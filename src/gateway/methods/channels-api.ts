/**
 * The accounts in the config and their state: as a running gateway reports it, or that none is running. Also adds and
 * removes accounts.
 */
import {
  isTable,
  readPath,
  type Channel,
  type ChannelConnection,
  type ChannelView,
  type PeerView,
} from "@pincer/sdk";
import { defaultAccountId, readAccounts } from "../../channels/accounts.ts";
import { parseOrRefuse, unsetInText } from "../../config/edit-config.ts";
import { readIfThere } from "../../config/read-regular-file.ts";
import { referredSecrets } from "../../config/secret-keys.ts";
import { editConfig, setConfig, trySetConfig, type ConfigEditor } from "../../config/set-config.ts";
import type { Setting } from "../../config/store-literals.ts";
import { withinTime } from "../../channels/within-time.ts";
import { timestamp } from "../../infra/clock.ts";
import { failure } from "../../infra/failure.ts";
import type { Say } from "../../infra/texts.ts";
import type { Language } from "../../infra/texts/table.ts";
import {
  describeKind,
  hasAccount,
  misshapenKey,
  placesOf,
  readKeys,
  testKeys,
  type ChannelKeys,
  type PresentChannel,
} from "../../channels/channel-setup.ts";
import { allowsFor, askedBy, written, type TakenUp } from "./config-api.ts";
import type { ControlApiParts } from "./control-parts.ts";
import type { Api, Until } from "./api.ts";

/** The connectors that come with the product. */
export interface IncludedConnectors {
  /** Their ids. */
  ids: readonly string[];
  /** Undefined where there is none of that id. */
  load(id: string): Promise<Channel | undefined>;
}

export function createChannelsApi({
  openedHome,
  config,
  running,
  connectors,
  redactor,
  editor,
  takeUp,
  inLanguage,
}: Pick<ControlApiParts, "openedHome" | "config" | "running" | "redactor"> & {
  connectors: IncludedConnectors;
  editor: ConfigEditor;
  takeUp(language: Language | undefined): Promise<TakenUp>;
  inLanguage(language: Language | undefined): Say;
}): Api<"channels"> {
  const { clock, home, stores } = openedHome;
  const { secrets } = openedHome.foundation;

  async function requireConnector(id: string): Promise<Channel> {
    const found = running?.connector?.(id) ?? (await connectors.load(id));
    if (found) return found;
    const known = connectors.ids.join(", ");
    throw failure(
      "usage/not-found",
      "channels.no-kind",
      { channel: id, known },
      { hint: "channels.no-kind.hint" },
    );
  }

  /** Before anything is sent anywhere: a caller who may not write an address into the config may not have a secret sent there either. */
  async function assertMayUse(settings: Setting[], until: Until | undefined): Promise<void> {
    const allows = allowsFor(until);
    if (allows) await trySetConfig({ ...editor, allows }, settings, "allow");
  }

  /** What stands in the config for the account already, as far as its connector reads it. */
  function inherited({ id, config: { properties } }: Channel, accountId: string): ChannelKeys {
    const { accounts = {}, ...shared } = config().channels[id] ?? {};
    const present = { ...shared, ...accounts[accountId] };
    return Object.fromEntries(Object.entries(present).filter(([key]) => Object.hasOwn(properties, key)));
  }

  /** In the file, which alone can be changed. */
  async function present(channel: string): Promise<PresentChannel> {
    return presentIn(await readIfThere(home.configFile), channel);
  }

  /** As far as they are known here: who was let in, and where somebody has spoken. */
  async function knownPeers(
    channel: string,
    accountId: string,
    kind: "people" | "groups",
  ): Promise<PeerView[]> {
    const { sessions } = await stores.sessions.list({ limit: 1000 });
    const heard = sessions.flatMap(({ origin }) => {
      const isHere = origin.channel === channel && (origin.accountId ?? defaultAccountId) === accountId;
      const [, peerKind, id] = /^(user|group|room):(.+)$/s.exec((isHere && origin.peerKey) || "") ?? [];
      return id !== undefined && (peerKind === "user") === (kind === "people") ? [id] : [];
    });
    const account = readAccounts(config().channels).find((each) => isSame(each, { channel, accountId }));
    const { allowFrom = [], groups = [] } = account?.door ?? {};
    const allowed = kind === "groups" ? [] : await stores.pairing.listAllowed({ channel });
    const letIn = allowed.filter((each) => each.accountId === null || each.accountId === accountId);
    const named = kind === "groups" ? groups : [...allowFrom, ...letIn.map(({ senderId }) => senderId)];
    return [...new Set([...named, ...heard])].map((id) => ({ id, name: id }));
  }
  async function look(probe: boolean, say: Say): Promise<ChannelView[]> {
    const states = (await running?.channels({ probe })) ?? [];
    const known = (channel: string, accountId: string) =>
      states.find((each) => each.channel === channel && each.accountId === accountId);
    const accounts = running?.accounts?.() ?? readAccounts(config().channels);
    const since = timestamp(openedHome.clock);
    const listed = accounts.map(({ channel, accountId, enabled, problem }): ChannelView => {
      const state = known(channel, accountId);
      if (state) return { enabled, ...state, ...abilitiesOf(running?.connection?.(channel, accountId)) };
      const reason = problem ?? say(running ? "channels.not-run" : "channels.no-gateway");
      return { channel, accountId, enabled, state: "stopped", since, reason };
    });
    // What plugins bring along is in no config.
    const others = states.filter((state) => !accounts.some((each) => isSame(each, state)));
    return [...listed, ...others];
  }

  return {
    async kinds({ channel, language }) {
      const wanted = channel === undefined ? connectors.ids : [channel];
      const found = await Promise.all(wanted.map(requireConnector));
      return { kinds: found.map((each) => describeKind(each, inLanguage(language))) };
    },

    async test({ channel, keys, language }, until) {
      const connector = await requireConnector(channel);
      const say = inLanguage(language);
      const bad = await misshapenKey(connector, keys, secrets);
      if (bad) return { ok: false, key: bad.key, isForm: true, problem: say("channels.bad-form", bad) };
      const own = await readKeys(connector, keys, secrets);
      await assertMayUse(settingsAt(["channels", channel], keys), until);
      return testKeys(connector, own, { clock, redactor, say, signal: until?.signal });
    },

    async add(
      { channel, accountId = defaultAccountId, keys, replace = false, test = true, language },
      until,
    ) {
      const connector = await requireConnector(channel);
      const say = inLanguage(language);
      const there = await present(channel);
      const name = nameOf(channel, accountId);
      if (!replace && hasAccount(there, accountId))
        throw failure("usage/bad-argument", "channels.there", { name }, { hint: "channels.there.hint" });
      const own = await readKeys(connector, { ...inherited(connector, accountId), ...keys }, secrets);
      const { path, also } = placesOf(channel, accountId, there);
      const settings = [
        ...also.map((each) => ({ path: each, value: {} })),
        ...settingsAt(path, { enabled: true, ...keys }),
        // One that is named is on only where its channel is.
        ...(path.length > 2 && !there.isThere
          ? [{ path: ["channels", channel, "enabled"], value: true }]
          : []),
      ];
      await assertMayUse(settings, until);
      const untested = { ok: true, name: null, claimLink: null } as const;
      const tested = test
        ? await testKeys(connector, own, { clock, redactor, say, signal: until?.signal })
        : untested;
      if (!tested.ok) {
        const facts = { name, problem: tested.problem };
        throw failure("usage/bad-argument", "channels.test-failed", facts, {
          hint: "channels.test-failed.hint",
        });
      }
      const { change, stored } = await setConfig({ ...editor, ...askedBy(until) }, settings);
      const taken = await written(change, () => takeUp(language));
      const { name: account, claimLink } = tested;
      return { ...taken, channel, accountId, name: account, claimLink, secrets: stored };
    },

    async remove({ channel, accountId, language }, until) {
      let gone: string[] = [];
      let text: string | undefined;
      const edit = (before: string | undefined): string => {
        const there = presentIn(before, channel);
        const all = there.accounts.length > 0 ? there.accounts : there.isThere ? [defaultAccountId] : [];
        gone = accountId === undefined ? all : all.filter((each) => each === accountId);
        if (before === undefined || gone.length === 0) throw noAccount([channel, accountId]);
        const isLast = gone.length === all.length;
        const path = isLast || accountId === undefined ? [] : ["accounts", accountId];
        text = unsetInText(before, ["channels", channel, ...path]).text;
        return text;
      };
      const before = await readIfThere(home.configFile);
      const summary = `remove channel ${[channel, accountId].filter(Boolean).join("/")}`;
      const change = await editConfig({ ...editor, ...askedBy(until) }, summary, edit);
      const stillNamed = referredSecrets(text ?? "");
      const keptSecrets = [...referredSecrets(before ?? "")].filter((each) => !stillNamed.has(each));
      return { ...(await written(change, () => takeUp(language))), channel, accountIds: gone, keptSecrets };
    },

    async peers({ channel, accountId = defaultAccountId, kind, names }) {
      const isThere = readAccounts(config().channels).some((each) => isSame(each, { channel, accountId }));
      if (!isThere) throw noAccount([channel, accountId]);
      const connection = running?.connection?.(channel, accountId);
      const ask = connection && asking(connection, kind, names);
      if (!ask) {
        const known = await knownPeers(channel, accountId, kind);
        const peers = known.filter(({ id }) => names === undefined || names.includes(id));
        return { peers, source: "known" };
      }
      const stop = new AbortController().signal;
      const peers = await withinTime({ clock, ms: directoryTimeoutMs, stop }, ask);
      return { peers: peers.slice(0, mostPeers).map(({ id, name }) => ({ id, name })), source: "network" };
    },

    list: async ({ language }) => ({ channels: await look(false, inLanguage(language)) }),
    async status({ channel, accountId, probe = false, language }) {
      const channels = (await look(probe, inLanguage(language))).filter(
        (each) =>
          (channel === undefined || each.channel === channel) &&
          (accountId === undefined || each.accountId === accountId),
      );
      if (channels.length > 0 || (channel === undefined && accountId === undefined)) return { channels };
      throw noAccount([channel, accountId]);
    },
  };
}

const directoryTimeoutMs = 15_000;
const mostPeers = 5000;

/** How the network is asked; undefined where the connection has no such ability. */
function asking(
  connection: ChannelConnection,
  kind: "people" | "groups",
  names: string[] | undefined,
): (() => Promise<PeerView[]>) | undefined {
  if (names === undefined)
    return (kind === "people" ? connection.listPeersLive : connection.listGroupsLive)?.bind(connection);
  const resolve = connection.resolveAllowlist?.bind(connection);
  return (
    resolve &&
    (async () => (await resolve(names)).flatMap(({ id, name }) => (id === undefined ? [] : [{ id, name }])))
  );
}

const abilities = [
  "edit",
  "react",
  "showTyping",
  "probe",
  "querySent",
  "backfill",
  "listPeersLive",
  "listGroupsLive",
  "resolveAllowlist",
] as const satisfies Array<keyof ChannelConnection>;

const abilitiesOf = (connection: ChannelConnection | undefined): Pick<ChannelView, "abilities"> =>
  connection ? { abilities: abilities.filter((name) => connection[name] !== undefined) } : {};

const settingsAt = (path: string[], keys: ChannelKeys): Setting[] =>
  Object.entries(keys).map(([key, value]) => ({ path: [...path, key], value }));

function presentIn(text: string | undefined, channel: string): PresentChannel {
  const value = text === undefined || text.trim() === "" ? {} : parseOrRefuse(text).value;
  const found = readPath(value, ["channels", channel]);
  const accounts = isTable(found) ? found["accounts"] : undefined;
  return { isThere: found !== undefined, accounts: isTable(accounts) ? Object.keys(accounts) : [] };
}

const noAccount = (name: Array<string | undefined>) =>
  failure(
    "usage/not-found",
    "channels.none",
    { name: name.filter(Boolean).join("/") },
    { hint: "channels.none.hint" },
  );

const nameOf = (channel: string, accountId: string): string =>
  accountId === defaultAccountId ? channel : `${channel}/${accountId}`;

const isSame = (
  one: Pick<ChannelView, "channel" | "accountId">,
  other: Pick<ChannelView, "channel" | "accountId">,
): boolean => one.channel === other.channel && one.accountId === other.accountId;
