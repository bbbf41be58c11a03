/**
 * Access granted by people of an identity provider. Nobody tells us when the provider removes them, so the access they
 * granted expires, and is valid only while the config still admits such people, from that provider, with that role.
 */
import type { Config } from "../../config/schema.ts";
import { isRoleWithin, givableRoles } from "../../policy/may-give.ts";
import { roleAliases } from "../../policy/role-aliases.ts";
import type { AccessRecord } from "../../storage/access/access.ts";
import { digestOf } from "./secret-digest.ts";

export type JwtConfig = NonNullable<Config["gateway"]["auth"]["jwt"]>;

const dayMs = 24 * 3_600_000;
const usualDays = 30;

/** The subject of a caller's id; undefined where the caller is somebody else. */
export const subjectOf = (callerId: string): string | undefined => /^user:(.+)$/s.exec(callerId)?.[1];

/** Until when something is good at most that they let in at this moment. */
export const endFrom = (madeMs: number, { accessDays = usualDays }: Pick<JwtConfig, "accessDays">): string =>
  new Date(madeMs + accessDays * dayMs).toISOString();

/** What it hangs on: the same subject of another provider is somebody else. */
export const providerMark = ({ issuer }: Pick<JwtConfig, "issuer">): string => `jwt:${digestOf(issuer)}`;

export const isProviderMark = (boundTo: string): boolean => boundTo.startsWith("jwt:");

export const isDenied = (subject: string, { denied = [] }: Pick<JwtConfig, "denied">): boolean =>
  denied.includes(subject);

/** Whether what this subject let in may still be used. */
export function isGoodOf(
  subject: string,
  { role, createdAt, boundTo }: Pick<AccessRecord, "role" | "createdAt" | "boundTo">,
  jwt: JwtConfig | undefined,
  nowMs: number,
): boolean {
  if (!jwt || isDenied(subject, jwt)) return false;
  if (boundTo !== null && isProviderMark(boundTo) && boundTo !== providerMark(jwt)) return false;
  if (nowMs >= Date.parse(endFrom(Date.parse(createdAt), jwt))) return false;
  const given = givableRoles.find((each) => each === role);
  const most = Object.values(jwt.roles ?? roleAliases);
  return given !== undefined && most.some((each) => isRoleWithin(given, each));
}
