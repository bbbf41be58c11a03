/** Grants that need no model: the owner's standing ones, and marks in the present message. */
import type { Grant as StoredGrant } from "../../storage/approvals/approvals.ts";
import { anyMessenger } from "./covers.ts";
import type { Grant } from "./grant.ts";

/**
 * A yes "for this recipient" covers messages of that tool to that recipient, or requests to that host. It names no
 * sources: what it covers from a tainted context is what holds nothing private. Others (shapes of commands) are about
 * tools that ask for themselves, and found by their keys. Pure.
 */
export function standingGrant({ id, scope, tool, key }: StoredGrant): Grant | undefined {
  const prefix = `${tool} to `;
  if (scope !== "recipient" || !key.startsWith(prefix)) return undefined;
  const recipient = key.slice(prefix.length);
  return {
    by: "standing",
    id,
    tool,
    quote: "",
    recipients: [recipient],
    hosts: [recipient],
    args: {},
    sources: [],
  };
}

/**
 * `@bob` in what the owner typed, for a contact of that name: messages to Bob. A name with a space is written with a
 * hyphen or without. Pure.
 */
export function markedGrants(
  typed: readonly string[],
  contacts: Readonly<Record<string, readonly string[]>>,
): Grant[] {
  const marks = typed.flatMap((words) => [...words.matchAll(mark)].map(([, name = ""]) => spelling(name)));
  return Object.entries(contacts).flatMap(([name, places]) => {
    if (!marks.includes(spelling(name))) return [];
    return [
      {
        by: "mark" as const,
        id: "",
        tool: anyMessenger,
        quote: `@${name}`,
        recipients: [...places],
        hosts: [],
        args: {},
        sources: [],
        count: marks.filter((each) => each === spelling(name)).length,
      },
    ];
  });
}

/** Not within an address or another word. */
const mark = /(?<![\p{L}\p{N}_.@/-])@([\p{L}\p{N}_-]+)/gu;

const spelling = (name: string): string =>
  name
    .normalize("NFC")
    .toLowerCase()
    .replaceAll(/[\s_-]+/gu, "");
