/**
 * Which places exist on which accounts, and who may be written to there. People are identified by the network's
 * immutable id, compared exactly, as at the door; display names are never used.
 */
import type { Destination, Target } from "@pincer/sdk";
import { defaultAccountId, type AccountSettings } from "../accounts.ts";
import type { Config } from "../../config/schema.ts";
import type { PairingStore } from "../../storage/access/people.ts";
import type { SessionRecord, SessionStore } from "../../storage/stores.ts";
import { doorSettings } from "../door-settings.ts";
import type { PlaceName } from "./contacts.ts";

export interface KnownPlacesParts {
  config(): Config;
  /** The accounts of the config. */
  accounts(): readonly AccountSettings[];
  pairing: Pick<PairingStore, "isAllowed" | "isOwner" | "listOwners">;
  sessions: Pick<SessionStore, "list">;
}

export interface KnownPlaces {
  /** The places that the name may mean: one per account and kind of peer with this id, only on accounts in use. */
  candidates(place: PlaceName, agentId: string): Promise<Destination[]>;
  /** Whether we may write there: to the owner, to an admitted person, or to a group that gets answers. */
  isLetIn(destination: Destination, agentId: string): Promise<boolean>;
  /** The owner's places; the one for notices first. */
  ownersPlaces(): Promise<string[]>;
  isInUse(destination: Pick<Destination, "channel" | "accountId">): boolean;
}

type PeerKind = Target["peerKind"];

const kinds: readonly PeerKind[] = ["user", "group", "room"];
const mostSessions = 200;

export function createKnownPlaces({ config, accounts, pairing, sessions }: KnownPlacesParts): KnownPlaces {
  const inUse = () => accounts().filter(({ enabled, problem }) => enabled && problem === undefined);

  const doorOf = ({ channel, accountId }: Pick<Destination, "channel" | "accountId">) => {
    const account = inUse().find((each) => each.channel === channel && each.accountId === accountId);
    return doorSettings(config(), channel, account?.door);
  };

  /** The kinds of peers with this id that have written to us. */
  async function heardKinds({ channel, accountId, id }: Required<PlaceName>, agentId: string) {
    const search = longestPlainPart(id);
    const page = await sessions.list({ agentId, limit: mostSessions, ...(search !== "" && { search }) });
    return kinds.filter((kind) =>
      page.sessions.some((session) => isFrom(session, { channel, accountId, peerKey: `${kind}:${id}` })),
    );
  }

  async function kindsOf(place: Required<PlaceName> & { accountId: string }, agentId: string) {
    const heard = await heardKinds(place, agentId);
    const { groups, allowFrom } = doorOf(place);
    const isGroup = heard.some((kind) => kind !== "user");
    const listed: PeerKind[] = groups.includes(place.id) && !isGroup ? ["group"] : [];
    const named: PeerKind[] = allowFrom.includes(place.id) ? ["user"] : [];
    const found = [...new Set([...named, ...heard, ...listed])];
    return found.length === 0 ? (["user"] as const) : found;
  }

  return {
    isInUse: ({ channel, accountId }) =>
      inUse().some((account) => account.channel === channel && account.accountId === accountId),
    async candidates({ channel, accountId: named, id }, agentId) {
      const places = inUse().filter(
        (account) => account.channel === channel && (named === undefined || account.accountId === named),
      );
      const found = await Promise.all(
        places.map(async ({ accountId }) =>
          (await kindsOf({ channel, accountId, id }, agentId)).map((peerKind) => ({
            channel,
            accountId,
            target: { peerKind, peerId: id },
          })),
        ),
      );
      return found.flat();
    },
    async isLetIn(destination, agentId) {
      const { channel, accountId, target } = destination;
      const { peerId: id, peerKind } = target;
      const door = doorOf(destination);
      const isHeard = async () => (await heardKinds({ channel, accountId, id }, agentId)).includes(peerKind);
      if (peerKind !== "user") {
        if (door.groupPolicy === "disabled") return false;
        return door.groupPolicy === "open" ? isHeard() : door.groups.includes(id);
      }
      if (config().owners.includes(`${channel}:${id}`) || (await pairing.isOwner(channel, id))) return true;
      // An open door lets anybody write to us, but we write only to those who have written first.
      if (door.dmPolicy === "open" && (await isHeard())) return true;
      if (door.dmPolicy === "disabled" || id === "*") return false;
      return door.allowFrom.includes(id) || pairing.isAllowed({ channel, accountId, senderId: id });
    },
    async ownersPlaces() {
      const { notify, owners } = config();
      const claimed = await pairing.listOwners();
      const all = [
        ...(notify.to === undefined ? [] : [notify.to]),
        ...owners,
        ...claimed.map(({ channel, senderId }) => `${channel}:${senderId}`),
      ];
      return [...new Set(all)];
    },
  };
}

const isFrom = (
  { origin }: SessionRecord,
  place: { channel: string; accountId: string | undefined; peerKey: string },
): boolean =>
  origin.channel === place.channel &&
  (origin.accountId ?? defaultAccountId) === place.accountId &&
  origin.peerKey === place.peerKey;

/** Session keys are searched by this part, since the rest of an id may be escaped in them. */
const longestPlainPart = (id: string): string =>
  id.split(/[^\w-]+/).reduce((longest, part) => (part.length > longest.length ? part : longest), "");
