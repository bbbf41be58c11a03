/** Hooks over the gateway's stores and places: what a call of one needs. */
import { defaultAccountId, type AccountSettings } from "../../channels/accounts.ts";
import type { Config } from "../../config/schema.ts";
import type { SignInTries } from "../doors/sign-in-tries.ts";
import { hookRoutes } from "./hook-routes.ts";
import type { HttpRoute } from "../http/http-route.ts";
import type { Redactor } from "../../infra/redactor.ts";
import type { InboxRow } from "../../storage/inbox/inbox.ts";
import { readPlace } from "../../channels/conversation/contacts.ts";
import { createKnownPlaces } from "../../channels/conversation/known-places.ts";
import { createSessionPlaces } from "../../channels/conversation/session-places.ts";
import type { OpenHome } from "../../storage/home/open-home.ts";

export interface HooksParts {
  openedHome: Pick<
    OpenHome,
    "stores" | "clock" | "tenantId" | "workspaceId" | "defaultAgentId" | "foundation"
  >;
  config(): Config;
  /** Those that the config names. */
  accounts(): readonly AccountSettings[];
  redactor: Pick<Redactor, "text">;
  tries: SignInTries;
  /** It is in the inbox, and may be taken up. */
  received(row: InboxRow): void;
  log: { warn(message: string): void };
}

export function openHooks({ openedHome, config, accounts, ...parts }: HooksParts): HttpRoute[] {
  const { stores, clock, tenantId, workspaceId, defaultAgentId, foundation } = openedHome;
  const places = createKnownPlaces({ config, accounts, pairing: stores.pairing, sessions: stores.sessions });
  const sessions = createSessionPlaces({
    config,
    sessions: stores.sessions,
    turns: stores.turns,
    tenantId,
    workspaceId,
  });
  return hookRoutes({
    ...parts,
    clock,
    tenantId,
    workspaceId,
    inbox: stores.inbox,
    hooks: () => config().hooks,
    resolveSecret: foundation.secrets.resolve,
    agentOf(agentId = defaultAgentId) {
      const ids = [defaultAgentId, ...config().agents.list.map(({ id }) => id)];
      return ids.includes(agentId) ? agentId : undefined;
    },
    async placeNamed(place, agentId) {
      const named = readPlace(place);
      if (!named) return null;
      // The owner's own config names it: nobody has to have let it in. Which kind of place it is, an account that is in use may know.
      const [known] = await places.candidates(named, agentId);
      const { channel, accountId = defaultAccountId, id } = named;
      return known ?? { channel, accountId, target: { peerKind: "user", peerId: id } };
    },
    placeOf: async (sessionKey, agentId) => (await sessions.destinationOf(sessionKey, agentId)) ?? null,
  });
}
