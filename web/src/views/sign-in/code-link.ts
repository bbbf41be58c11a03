/**
 * The address that signs a browser in once. The part after # is never sent; it names the role only if it is not the
 * owner's.
 */
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
 * Whether a signed-in person stays so without a question. There is one owner, whose own link gives them nothing new;
 * any other link may belong to another person.
 */
export const isOwnLink = (role: string, given: Pick<GivenCode, "role">): boolean =>
  role === "owner" && given.role === "owner";
