/** Access to the gateway. Callers grant no more than they have. */
import type { AccessRole, AccessView, WaitingDeviceView } from "@pincer/sdk";
import { accessTokenPrefix, digestOf, makeSecret } from "../doors/secret-digest.ts";
import type { BrowserSessions } from "../doors/browser-sessions.ts";
import { endOfLine } from "../doors/maker-line.ts";
import type { SecretBindings } from "../doors/secret-bindings.ts";
import { nearestName } from "../../config/check-config.ts";
import type { Config } from "../../config/schema.ts";
import type { Clock } from "../../infra/clock.ts";
import { failure } from "../../infra/failure.ts";
import { oneLine, shorten } from "../../infra/one-line.ts";
import { ownerCaller, type Caller, type CallerScope } from "../../policy/caller.ts";
import { givableRoles, mayGive } from "../../policy/may-give.ts";
import { showPairingCode } from "../../routing/pairing-code.ts";
import { callerIdOf } from "../../storage/access/access-row.ts";
import type { AccessRecord, AccessStore, DeviceRequest } from "../../storage/access/access.ts";
import type { NoticeStore } from "../../storage/outbox/notices.ts";
import type { Api, Until } from "./api.ts";

/** What only a running gateway has. */
export interface SignInApi {
  makeCode: BrowserSessions["makeCode"];
  bindingOf: SecretBindings["inherit"];
  /** Where the page is, as "http://localhost:18650"; undefined where none is served. */
  pageAddress(): string | undefined;
}

const dayMs = 24 * 3_600_000;

export function createAccessApi({
  access,
  clock,
  tenantId,
  notices,
  config,
  spaces,
  agents = () => undefined,
  signIn,
}: {
  access: AccessStore;
  clock: Clock;
  tenantId: string;
  notices: Pick<NoticeStore, "dismiss">;
  /** As it is now. */
  config(): Pick<Config, "gateway">;
  /** The spaces that there are. */
  spaces: readonly string[];
  /** The agents that there are; left out, they are not checked. */
  agents?(): readonly string[] | undefined;
  signIn?: SignInApi | undefined;
}): Api<"access"> {
  const callerOf = (until: Until | undefined): Caller => until?.caller ?? ownerCaller(tenantId, "socket");
  const jwt = () => config().gateway.auth.jwt;
  /** What somebody hands on is over when they are, or those who stand behind them. */
  async function expiryOf(days: number | undefined, caller: Caller): Promise<string | null> {
    const asked = days === undefined ? null : new Date(clock.now() + days * dayMs).toISOString();
    const own = await endOfLine(caller.id, { access, jwt: jwt(), nowMs: clock.now() });
    return own !== null && (asked === null || own < asked) ? own : asked;
  }

  /** Granted access depends on the secret or the provider with which its creator signed in; a caller at the home itself used none. */
  async function bindingOf(caller: Caller): Promise<string | null> {
    return caller.way === "socket" || !signIn ? null : signIn.bindingOf(caller);
  }

  /** The notice to the owner about the device that waits under this id or code. */
  async function noticeOf(idOrCode: string): Promise<string> {
    const code = idOrCode.replaceAll("-", "").toUpperCase();
    const asked = (await access.listPending()).find((each) => each.id === idOrCode || each.code === code);
    return `device:${asked?.id ?? idOrCode}`;
  }

  return {
    async list({ all }) {
      const found = await access.list(all === undefined ? {} : { all });
      return { access: found.map(view), waiting: (await access.listPending()).map(waitingView) };
    },
    async createToken({ name, role, scope, days }, until) {
      const caller = callerOf(until);
      const gift = giftOf(caller, role, scope, { spaces, agents: agents() });
      const token = `${accessTokenPrefix}${makeSecret()}`;
      const outcome = await access.put({
        ...gift,
        kind: "token",
        way: "token",
        name: shorten(oneLine(name), 100),
        createdBy: caller.id,
        boundTo: await bindingOf(caller),
        expiresAt: await expiryOf(days, caller),
        secretDigest: digestOf(token),
      });
      if (outcome.type === "full") throw full();
      return { token, access: view(outcome.access) };
    },
    async createCode({ role, scope }, until) {
      const caller = callerOf(until);
      const page = signIn?.pageAddress();
      if (!signIn || page === undefined) {
        throw failure("gateway/unreachable", "access.code.no-page", {}, { hint: "access.code.no-page.hint" });
      }
      const gift = giftOf(caller, role ?? ownRole(caller), scope, { spaces, agents: agents() });
      const { code, expiresAt } = await signIn.makeCode({ ...gift, by: caller });
      // Behind the mark nothing is sent to a server, kept by a proxy or told to other pages.
      // A page where somebody is signed in asks them before it becomes somebody else's; the link tells it when.
      const told = gift.role === "owner" ? "" : `&role=${gift.role}`;
      return { code, link: `${page}/#code=${code}${told}`, role: gift.role, expiresAt };
    },
    async revoke({ id }, until) {
      const caller = callerOf(until);
      const found = await access.get(id);
      if (!found) throw unknown(id);
      // Whole: of a name that somebody else gave them, anything may be the end.
      const isOwn = caller.id === callerIdOf(found);
      if (!isOwn) refuseMore(caller, found.role, found.scope);
      const revoked = await access.revoke(id, caller.id);
      if (revoked.length === 0) throw failure("message/over", "access.over", { id });
      return { revoked: revoked.map(view) };
    },
    async revokeOthers(_params, until) {
      const caller = callerOf(until);
      const others = (await access.list()).filter(
        (each) => each.kind === "browser" && callerIdOf(each) !== caller.id,
      );
      const revoked: AccessRecord[] = [];
      // The caller stays signed in, no matter who granted that; and so does the key or the token that the caller used.
      const own = caller.id.replace(/^browser:/, "");
      const maker = (await access.get(own))?.createdBy.replace(/^(?:token|device|node|passkey):/, "");
      for (const { id, role, scope } of others) {
        if (!isWithin(caller, role, scope)) continue;
        // One that is over by now went with another that let it in.
        revoked.push(...(await access.revoke(id, caller.id, { ids: [own, maker ?? own] })));
      }
      return { revoked: revoked.map(view) };
    },
    async approve({ id, role, name, scope, days }, until) {
      const caller = callerOf(until);
      const subject = await noticeOf(id);
      const outcome = await access.approveDevice(id, {
        ...giftOf(caller, role, scope, { spaces, agents: agents() }),
        createdBy: caller.id,
        boundTo: await bindingOf(caller),
        expiresAt: await expiryOf(days, caller),
        ...(name === undefined ? {} : { name: shorten(oneLine(name), 100) }),
      });
      if (outcome.type === "full") throw full();
      if (outcome.type === "unknown") throw unknownDevice(id);
      await notices.dismiss(subject);
      return { access: view(outcome.access) };
    },
    async deny({ id }, until) {
      const denied = await access.denyDevice(id, callerOf(until).id);
      if (!denied) throw unknownDevice(id);
      await notices.dismiss(`device:${denied.id}`);
      return { denied: denied.id };
    },
  };
}

/** What is handed on; throws `permission/missing` where it is more than the giver has, `usage/not-found` for a space or an agent that is not there. */
function giftOf(
  caller: Caller,
  role: AccessRole,
  scope: CallerScope | undefined,
  { spaces, agents }: { spaces: readonly string[]; agents: readonly string[] | undefined },
): { role: AccessRole; scope: CallerScope } {
  const gift = { role, scope: scope ?? caller.scope };
  const wanted = scope?.type === "workspace" ? scope.workspaceIds : [];
  const missing = wanted.find((id) => !spaces.includes(id));
  if (missing !== undefined)
    throw failure(
      "usage/not-found",
      "access.no-space",
      { id: missing, known: spaces.join(", ") },
      { hint: "access.no-space.hint" },
    );
  refuseMore(caller, gift.role, gift.scope);
  const agentIds = scope?.type === "agent" ? scope.agentIds : [];
  const stranger = agentIds.find((id) => agents && !agents.includes(id));
  if (stranger !== undefined && agents) throw noAgent(stranger, agents);
  return gift;
}

function noAgent(id: string, agents: readonly string[]) {
  const nearest = nearestName(id, [...agents]);
  const known = agents.join(", ");
  return nearest === undefined
    ? failure("usage/not-found", "access.no-agent", { id, known }, { hint: "access.no-space.hint" })
    : failure("usage/not-found", "access.no-agent", { id, nearest }, { hint: "access.no-agent.hint" });
}

function isWithin(caller: Caller, role: string, scope: CallerScope): boolean {
  const known = givableRoles.find((each) => each === role);
  return known !== undefined && mayGive(caller, { role: known, scope });
}

function refuseMore(caller: Caller, role: string, scope: CallerScope): void {
  if (isWithin(caller, role, scope)) return;
  const named = { role, own: caller.role };
  throw failure("permission/missing", "access.too-much", named, { hint: "access.too-much.hint" });
}

function ownRole({ role }: Caller): AccessRole {
  const own = givableRoles.find((each) => each === role);
  if (own) return own;
  throw failure(
    "permission/missing",
    "access.too-much",
    { role, own: role },
    { hint: "access.too-much.hint" },
  );
}

const unknown = (id: string) =>
  failure("usage/not-found", "access.unknown", { id }, { hint: "access.unknown.hint" });
const unknownDevice = (id: string) =>
  failure("usage/not-found", "access.unknown-device", { id }, { hint: "access.unknown.hint" });
const full = () => failure("usage/bad-argument", "access.full", {}, { hint: "access.unknown.hint" });

const view = ({ boundTo: _ours, ...record }: AccessRecord): AccessView => record;

const waitingView = ({ publicKey: _long, ...request }: DeviceRequest): WaitingDeviceView => ({
  ...request,
  code: showPairingCode(request.code),
});
