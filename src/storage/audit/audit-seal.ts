/**
 * What only the holder of the home's key can write into the audit log: seals on chain heads and anchors, and digests
 * of texts that cannot be guessed by trying.
 */
import { hash, timingSafeEqual } from "node:crypto";

/** The end of a chain, and what is known about its beginning. */
export interface AuditHead {
  tenantId: string;
  /** Of the newest row. */
  seq: number;
  digest: string;
  /** How many rows there are. */
  count: number;
  /** The newest row that was pruned; zero and empty if none. */
  prunedSeq: number;
  prunedDigest: string;
  /** Up to here somebody wrote without the key. Permanent. */
  suspectSeq: number;
  /** Up to here anchors were written outside the database. */
  anchoredSeq: number;
}

/** A statement outside the database: this chain had this row. */
export interface AuditAnchor {
  tenantId: string;
  seq: number;
  digest: string;
  time: string;
}

export interface AuditSeal {
  head(head: AuditHead): string;
  anchor(anchor: AuditAnchor): string;
  /** A keyed digest of a text. */
  text(text: string): string;
  /** The same for the key of a session. */
  session(sessionKey: string): string;
}

/**
 * A session's mark in the record. It can be found by the session's key, and after a deletion does not reveal whom the
 * session was with. Without the home's key it can be guessed by trying.
 */
export function sessionMark(seal: AuditSeal | undefined, sessionKey: string): string {
  if (isMark.test(sessionKey)) return sessionKey;
  return seal ? seal.session(sessionKey) : hash("sha256", sessionText(sessionKey)).slice(0, 32);
}

const sessionText = (sessionKey: string): string => `session ${sessionKey}`;

const isMark = /^[0-9a-f]{32}$/;

/** A chain goes on from the head that was sealed last; there is one for each tenant. */
const mostHeads = 32;

/** `key` is used for nothing else. */
export function createAuditSeal(key: Buffer): AuditSeal {
  const seal = createHmacSha256(key);
  // The prefix prevents that one kind is passed off as another.
  const text = (words: string) => seal(`text ${words}`).slice(0, 32);
  const lastHeads = new Map<string, { text: string; mac: string }>();
  /** Cached by the whole content: a head that differs in anything is sealed again. */
  function sealHead(tenantId: string, head: string): string {
    const last = lastHeads.get(tenantId);
    if (last?.text === head) return last.mac;
    const mac = seal(head);
    if (!last && lastHeads.size >= mostHeads) lastHeads.clear();
    lastHeads.set(tenantId, { text: head, mac });
    return mac;
  }
  return {
    head: ({ tenantId, seq, digest, count, prunedSeq, prunedDigest, suspectSeq, anchoredSeq }) =>
      sealHead(
        tenantId,
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
    text,
    session: (sessionKey) => text(sessionText(sessionKey)),
  };
}

/** Compares in constant time. */
export function isSameSeal(given: string, expected: string): boolean {
  const a = Buffer.from(given);
  const b = Buffer.from(expected);
  return a.length === b.length && timingSafeEqual(a, b);
}

/** The digest of a text in a record; unkeyed if there is no key. */
export const digestOfText = (seal: AuditSeal | undefined, text: string): string =>
  seal ? seal.text(text) : hash("sha256", text);

/**
 * HMAC as in RFC 2104. Node's own takes longer to set up its key than to compute, and every turn ends with some of
 * these. The inner digest is passed on as text, because a buffer costs more than the hash.
 */
function createHmacSha256(key: Buffer): (text: string) => string {
  const block = Buffer.alloc(blockBytes);
  (key.length > blockBytes ? hash("sha256", key, "buffer") : key).copy(block);
  const inner = Buffer.from(block.map((byte) => byte ^ 0x36));
  const outer = Buffer.alloc(
    blockBytes + digestBytes,
    block.map((byte) => byte ^ 0x5c),
  );
  return (text) => {
    const message = Buffer.allocUnsafe(blockBytes + Buffer.byteLength(text));
    inner.copy(message);
    message.write(text, blockBytes);
    outer.write(hash("sha256", message), blockBytes, "hex");
    return hash("sha256", outer);
  };
}

const blockBytes = 64;
const digestBytes = 32;
