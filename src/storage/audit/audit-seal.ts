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
  /** The same for the key of a session. */
  session(sessionKey: string): string;
}

/**
 * What stands for a session in the record: it is found again by its key, and when it is deleted the record does not tell with whom it was. Without
 * the key of the home it can be guessed by trying.
 */
export function sessionMark(seal: AuditSeal | undefined, sessionKey: string): string {
  if (isMark.test(sessionKey)) return sessionKey;
  return seal ? seal.session(sessionKey) : hash("sha256", sessionText(sessionKey)).slice(0, 32);
}

const sessionText = (sessionKey: string): string => `session ${sessionKey}`;

const isMark = /^[0-9a-f]{32}$/;

/** A chain goes on from the head that was sealed last; there is one for each tenant. */
const mostHeads = 32;

/** `key` is made for this alone. */
export function createAuditSeal(key: Buffer): AuditSeal {
  const seal = createHmacSha256(key);
  // The first word keeps one kind from being passed off as another.
  const text = (words: string) => seal(`text ${words}`).slice(0, 32);
  const lastHeads = new Map<string, { text: string; mac: string }>();
  /** By the whole of what is sealed: a head that differs in anything from the one that was sealed last is sealed anew. */
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

/** Whether a seal is the one that it should be, found out in the same time whatever it is. */
export function isSameSeal(given: string, expected: string): boolean {
  const a = Buffer.from(given);
  const b = Buffer.from(expected);
  return a.length === b.length && timingSafeEqual(a, b);
}

/** What stands for a text in a record; where there is no key, a plain digest. */
export const digestOfText = (seal: AuditSeal | undefined, text: string): string =>
  seal ? seal.text(text) : hash("sha256", text);

/**
 * HMAC as RFC 2104 has it. Node's own takes longer to look at its key than to work with it, and every turn ends with some of these. The digest
 * in between is passed on as text: a buffer of its own costs more than the hash.
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
