/**
 * What only whoever has the key of the home can write into the audit log: the seal on the head of a chain, the seal on an anchor outside of
 * the database, and digests of texts that cannot be guessed by trying out likely ones.
 */
import { hash, timingSafeEqual } from "node:crypto";

/** Where a chain ends, and what is known about its beginning. */
export interface AuditHead {
  tenantId: string;
  /** Of the newest row. */
  seq: number;
  digest: string;
  /** How many rows there are. */
  count: number;
  /** The newest row that was cleared away because of its age, zero and empty where none was. */
  prunedSeq: number;
  prunedDigest: string;
  /** Up to here somebody wrote without the key. It stays: nobody can say later that they did not. */
  suspectSeq: number;
  /** Up to here an anchor was written outside of the database. */
  anchoredSeq: number;
}

/** A note outside of the database: this chain had this row. */
export interface AuditAnchor {
  tenantId: string;
  seq: number;
  digest: string;
  time: string;
}

export interface AuditSeal {
  head(head: AuditHead): string;
  anchor(anchor: AuditAnchor): string;
  /** Stands for a text and does not tell it. */
  text(text: string): string;
}

/**
 * What stands for a session in the record: it is found again by its key, and when it is deleted the record does not tell with whom it was. Without
 * the key of the home it can be guessed by trying.
 */
export function sessionMark(seal: AuditSeal | undefined, sessionKey: string): string {
  if (isMark.test(sessionKey)) return sessionKey;
  const named = `session ${sessionKey}`;
  return seal ? seal.text(named) : hash("sha256", named).slice(0, 32);
}

const isMark = /^[0-9a-f]{32}$/;

/** `key` is made for this alone. */
export function createAuditSeal(key: Buffer): AuditSeal {
  const seal = createHmacSha256(key);
  // The first word keeps one kind from being passed off as another.
  return {
    head: ({ tenantId, seq, digest, count, prunedSeq, prunedDigest, suspectSeq, anchoredSeq }) =>
      seal(
        JSON.stringify([
          "head",
          tenantId,
          seq,
          digest,
          count,
          prunedSeq,
          prunedDigest,
          suspectSeq,
          anchoredSeq,
        ]),
      ),
    anchor: ({ tenantId, seq, digest, time }) =>
      seal(JSON.stringify(["anchor", tenantId, seq, digest, time])),
    text: (text) => seal(`text ${text}`).slice(0, 32),
  };
}

/** Whether a seal is the one that it should be, found out in the same time whatever it is. */
export function isSameSeal(given: string, expected: string): boolean {
  const a = Buffer.from(given);
  const b = Buffer.from(expected);
  return a.length === b.length && timingSafeEqual(a, b);
}

/** What stands for a text in a record; where there is no key, a plain digest. */
export const digestOfText = (seal: AuditSeal | undefined, text: string): string =>
  seal ? seal.text(text) : hash("sha256", text);

/** HMAC as RFC 2104 has it. Node's own takes longer to look at its key than to work with it, and every turn ends with some of these. */
function createHmacSha256(key: Buffer): (text: string) => string {
  const block = Buffer.alloc(64);
  (key.length > block.length ? hash("sha256", key, "buffer") : key).copy(block);
  const inner = Buffer.from(block.map((byte) => byte ^ 0x36));
  const outer = Buffer.from(block.map((byte) => byte ^ 0x5c));
  return (text) =>
    hash(
      "sha256",
      Buffer.concat([outer, hash("sha256", Buffer.concat([inner, Buffer.from(text)]), "buffer")]),
    );
}
