/** What speaks against a call, as a code and values, so that people read it in their language. */
export interface Finding {
  verdict: "ask" | "deny";
  /** The name of the check: `recipient`, `url`, `secret`, … */
  check: string;
  /** The text is `gate.reason.<code>`. */
  code: FindingCode;
  values: Readonly<Record<string, string>>;
  /** The argument that makes it ask, and where its value stands. */
  cause?: { argument: string; value: string; from: string; sentence: string };
}

export const findingCodes = [
  "stored-secret",
  "not-asked-for",
  "more-than-asked",
  "other-recipient",
  "other-host",
  "other-value",
  "private-sources",
  "unseen-change",
  "group-reads-along",
  "maybe-pasted",
  "address-composed",
  "address-of-inside",
  "address-for-scout",
  "address-with-headers",
  "address-inside",
  "address-sends",
  "address-unreadable",
  "address-bits",
  "address-bits-for-scout",
  "scout-bits",
  "address-shown",
  "steering-file",
  "runs-by-itself",
  "outside-workdir",
] as const;
export type FindingCode = (typeof findingCodes)[number];
