/** Who can sign in, as a list: by kind, this browser first, then by last use. */
import type { AccessRole, AccessView } from "@pincer/sdk";
import { browserName } from "../../parts/browser-name.ts";
import type { TextKey } from "../../texts/texts.ts";

export const kinds = ["browser", "passkey", "device", "token"] as const satisfies AccessView["kind"][];

/** From the most to the least that can be given. */
export const roles = [
  "owner",
  "admin",
  "developer",
  "viewer",
  "auditor",
  "node",
] as const satisfies AccessRole[];

export interface AccessRow {
  view: AccessView;
  name: string;
  isOwn: boolean;
}

export function accessRows(
  access: readonly AccessView[],
  kind: AccessView["kind"],
  myId: string,
): AccessRow[] {
  return access
    .filter((view) => view.kind === kind)
    .map((view) => ({ view, name: browserName(view.name), isOwn: myId === `${view.kind}:${view.id}` }))
    .toSorted(
      (one, other) =>
        Number(other.isOwn) - Number(one.isOwn) || lastSeen(other.view).localeCompare(lastSeen(one.view)),
    );
}

const lastSeen = ({ lastUsedAt, createdAt }: AccessView): string => lastUsedAt ?? createdAt;

/** The most that a role may hand on; the gateway decides. */
export const givable = (role: string): AccessRole[] =>
  role === "owner" ? [...roles] : roles.filter((each) => each !== "owner");

const ways: readonly string[] = ["code", "password", "token", "passkey", "device"];

export const wayKey = (way: string): TextKey =>
  ways.includes(way) ? (`access.way.${way}` as TextKey) : "access.way.other";

/** Agents that it is confined to; empty: it reaches everything. */
export const confinedTo = ({ scope }: Pick<AccessView, "scope">): string =>
  (scope.agentIds ?? scope.workspaceIds ?? []).join(", ");
