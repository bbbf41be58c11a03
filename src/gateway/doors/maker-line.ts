/**
 * The line of grants behind a caller: a browser that signed in with a code from a chat, the token created in it,
 * whatever signed in with that token. A caller is valid only while everybody in the line still has access, by the
 * current config, and while each token or password with which any of them signed in is still the same.
 */
import type { Config } from "../../config/schema.ts";
import type { Clock } from "../../infra/clock.ts";
import type { AccessRecord, AccessStore } from "../../storage/access/access.ts";
import { endFrom, isGoodOf, subjectOf, type JwtConfig } from "./provider-people.ts";

export interface MakerLine {
  /** Whether everybody who stands behind it may still let somebody in. Throws what the storage does. */
  holds(record: AccessRecord): Promise<boolean>;
  /** The same of what somebody hands on now; a browser that hands on something must be in itself. */
  mayHandOn(gift: Pick<AccessRecord, "role" | "createdBy" | "boundTo">): Promise<boolean>;
}

export interface MakerLineParts {
  access: Pick<AccessStore, "get">;
  /** As it is now. */
  config(): Pick<Config, "gateway">;
  clock: Pick<Clock, "now">;
  /** Whether somebody of a channel, as `channel:id`, is an owner now. */
  isOwnerInChat(person: string): Promise<boolean>;
  /** Whether the secret that something hangs on is still the one that it was. Never throws. */
  isBound(boundTo: string): Promise<boolean>;
}

export function createMakerLine(parts: MakerLineParts): MakerLine {
  const { access, config, clock, isOwnerInChat, isBound } = parts;
  const isLive = ({ revokedAt, expiresAt }: AccessRecord) =>
    revokedAt === null && (expiresAt === null || Date.parse(expiresAt) > clock.now());

  /** What came of a browser's session stays when that was not used any longer, or was signed out: what else goes with it was taken back with it. */
  const mayBeOver = ({ kind }: AccessRecord) => kind === "browser";

  async function holds(made: Pick<AccessRecord, "role" | "createdBy" | "boundTo" | "createdAt">) {
    const { makers, root } = await climb(access, made.createdBy);
    if (makers.some((maker) => !mayBeOver(maker) && !isLive(maker))) return false;
    if (!(await areBound([made, ...makers]))) return false;
    return isRootIn(root, makers.at(-1) ?? made);
  }

  /** An expired browser counts here, too: somebody who signed in with a leaked secret may have granted access before. */
  async function areBound(line: ReadonlyArray<Pick<AccessRecord, "boundTo">>): Promise<boolean> {
    const marks = new Set(line.flatMap(({ boundTo }) => (boundTo === null ? [] : [boundTo])));
    for (const boundTo of marks) if (!(await isBound(boundTo))) return false;
    return true;
  }

  /** `made`: what they let in themselves. */
  async function isRootIn(root: Root, made: Pick<AccessRecord, "role" | "boundTo" | "createdAt">) {
    switch (root.type) {
      case "owner":
        return true;
      case "chat":
        return isOwnerInChat(root.person);
      case "provider":
        return isGoodOf(root.subject, made, config().gateway.auth.jwt, clock.now());
      case "forgotten":
        // Sessions of browsers were once forgotten before what came of them was over; everything else never is.
        return root.id.startsWith("browser:");
      case "unknown":
        return false;
    }
  }

  return {
    holds,
    async mayHandOn(gift) {
      const id = accessIdOf(gift.createdBy);
      const maker = id === undefined ? undefined : await access.get(id);
      if (id !== undefined && (!maker || !isLive(maker))) return false;
      return holds({ ...gift, createdAt: new Date(clock.now()).toISOString() });
    },
  };
}

/**
 * Until when what this caller hands on may be good at most: the first end in the line; null for good. A browser's own does not count, it goes on
 * while it is used.
 */
export async function endOfLine(
  callerId: string,
  { access, jwt, nowMs }: { access: Pick<AccessStore, "get">; jwt: JwtConfig | undefined; nowMs: number },
): Promise<string | null> {
  const { makers, root } = await climb(access, callerId);
  const ends = makers.flatMap(({ kind, expiresAt }) =>
    kind === "browser" || expiresAt === null ? [] : [expiresAt],
  );
  if (root.type === "provider") {
    const madeAt = makers.at(-1)?.createdAt;
    ends.push(endFrom(madeAt === undefined ? nowMs : Date.parse(madeAt), jwt ?? {}));
  }
  return ends.sort()[0] ?? null;
}

type Root =
  | { type: "owner" }
  | { type: "chat"; person: string }
  | { type: "provider"; subject: string }
  /** Its row is not there any more. */
  | { type: "forgotten"; id: string }
  | { type: "unknown" };

/** The longest chain of grants; a real one is never this long. */
const longestLine = 100;

/** Those with a row, the nearest first, and who stands at the beginning. */
async function climb(
  access: Pick<AccessStore, "get">,
  from: string,
): Promise<{ makers: AccessRecord[]; root: Root }> {
  const makers: AccessRecord[] = [];
  let by = from;
  while (makers.length < longestLine) {
    const id = accessIdOf(by);
    if (id === undefined) return { makers, root: rootOf(by) };
    const maker = await access.get(id);
    if (!maker) return { makers, root: { type: "forgotten", id: by } };
    makers.push(maker);
    by = maker.createdBy;
  }
  return { makers, root: { type: "unknown" } };
}

function rootOf(by: string): Root {
  if (by === "owner") return { type: "owner" };
  const [, person] = /^chat:(.+)$/s.exec(by) ?? [];
  if (person !== undefined) return { type: "chat", person };
  const subject = subjectOf(by);
  return subject === undefined ? { type: "unknown" } : { type: "provider", subject };
}

const accessIdOf = (callerId: string): string | undefined =>
  /^(?:token|device|browser|passkey|node):(.+)$/.exec(callerId)?.[1];
