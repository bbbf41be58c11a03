import { createHash } from "node:crypto";

/** Equal for equal values, whatever the order in which their members were written; a member that is undefined is not there. */
export const digestOf = (value: unknown): string =>
  createHash("sha256")
    .update(JSON.stringify(inOrder(value)) ?? "")
    .digest("base64");

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, each]) => [name, inOrder(each)]));
}
