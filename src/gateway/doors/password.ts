/** Passwords as argon2id hashes that carry their parameters: `$argon2id$v=19$m=…,t=…,p=…$salt$hash`. Hashing happens off the main thread. */
import { argon2, randomBytes, timingSafeEqual } from "node:crypto";
import { digestOf } from "./secret-digest.ts";

interface Hash {
  memory: number;
  passes: number;
  parallelism: number;
  salt: Buffer;
  tag: Buffer;
}

/** What OWASP asks for at least: 19 MB, two passes. */
const usual = { memory: 19_456, passes: 2, parallelism: 1 };
const form =
  /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$/;
/** A hash from elsewhere may ask for more than this machine should give. */
const most = { memory: 262_144, passes: 20, parallelism: 8 };

export const isPasswordHash = (text: string): boolean => text.startsWith("$argon2");

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const tag = await derive(password, { ...usual, salt, tag: Buffer.alloc(32) });
  const { memory, passes, parallelism } = usual;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${plain(salt)}$${plain(tag)}`;
}

export interface PasswordCheck {
  /** The stored one is a hash, or the password itself; undefined: nobody's, and refused after the same work. busy: too many are being checked. */
  check(password: string, stored: string | undefined): Promise<"right" | "wrong" | "busy">;
}

export function createPasswordCheck({
  atOnce = 2,
  mostWaiting = 8,
}: { atOnce?: number; mostWaiting?: number } = {}): PasswordCheck {
  let running = 0;
  const waiting: Array<() => void> = [];
  /** Of a password that is stored as it is, its hash; and one that no password has. */
  let kept: { of: string; hash: string } | undefined;
  const decoy = `$argon2id$v=19$m=${usual.memory},t=${usual.passes},p=1$${plain(randomBytes(16))}$${plain(randomBytes(32))}`;

  async function hashOf(stored: string | undefined): Promise<string> {
    if (stored === undefined) return decoy;
    if (isPasswordHash(stored)) return stored;
    const of = digestOf(stored);
    if (kept?.of !== of) kept = { of, hash: await hashPassword(stored) };
    return kept.hash;
  }

  return {
    async check(password, stored) {
      if (running >= atOnce) {
        if (waiting.length >= mostWaiting) return "busy";
        await new Promise<void>((resolve) => waiting.push(resolve));
      } else running += 1;
      try {
        return (await isRight(password, await hashOf(stored))) ? "right" : "wrong";
      } finally {
        // The next waiting caller takes the place over.
        const next = waiting.shift();
        if (next) next();
        else running -= 1;
      }
    },
  };
}

/** False also for a hash that cannot be read: it fits no password. */
async function isRight(password: string, stored: string): Promise<boolean> {
  const hash = parse(stored);
  if (!hash) return false;
  return timingSafeEqual(await derive(password, hash), hash.tag);
}

function parse(text: string): Hash | undefined {
  const found = form.exec(text);
  if (!found) return undefined;
  const [memory = 0, passes = 0, parallelism = 0] = found.slice(1, 4).map(Number);
  const isBounded = memory <= most.memory && passes <= most.passes && parallelism <= most.parallelism;
  const isEnough = passes >= 1 && parallelism >= 1 && memory >= 8 * parallelism;
  const [salt, tag] = found.slice(4).map((part) => Buffer.from(part, "base64"));
  return isBounded && isEnough && salt && tag ? { memory, passes, parallelism, salt, tag } : undefined;
}

const derive = (password: string, { memory, passes, parallelism, salt, tag }: Hash): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const message = password.normalize("NFKC");
    argon2(
      "argon2id",
      { message, nonce: salt, parallelism, tagLength: tag.length, memory, passes },
      (error, derived) => (error ? reject(error) : resolve(derived)),
    );
  });

const plain = (bytes: Buffer) => bytes.toString("base64").replaceAll("=", "");
