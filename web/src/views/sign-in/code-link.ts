/** The address that signs a browser in once. What stands behind the # is sent to nobody; whose it is stands there only where it is not the owner's own. */
export interface GivenCode {
  code: string;
  /** As what it signs in, as far as the link says; nothing is decided by it but whether to ask. */
  role: string;
}

export const writeCodeLink = (address: string, { code, role }: GivenCode): string =>
  `${address}/#code=${code}${role === "owner" ? "" : `&role=${encodeURIComponent(role)}`}`;

/** Undefined where the address has no code. */
export function readCodeLink(hash: string): GivenCode | undefined {
  const behind = new URLSearchParams(hash.slice(1));
  const code = behind.get("code");
  return code === null ? undefined : { code, role: behind.get("role") ?? "owner" };
}

/**
 * Whether somebody who is in already stays so without a question. There is one owner, and a link of theirs gives them nothing that they have not;
 * anybody else's may be another person's.
 */
export const isOwnLink = (role: string, given: Pick<GivenCode, "role">): boolean =>
  role === "owner" && given.role === "owner";
