import type { Config } from "../../config/schema.ts";

/** Everybody whom the owner's config names, with their places. Pure. */
export const contactsOf = ({
  session,
  contacts,
}: Pick<Config, "session" | "contacts">): Readonly<Record<string, readonly string[]>> => ({
  ...session.identityLinks,
  ...contacts,
});

/** Places where somebody is reached: `telegram:42`, `telegram/main:42`, an e-mail address. */

interface Place {
  channel: string;
  account: string | undefined;
  id: string;
}

/**
 * `telegram:42` is `telegram/main:42` on any account. Ids are compared exactly: two lookalikes are two people. Pure.
 */
export function isSamePlace(one: string, other: string): boolean {
  if (one === other || (isMail(one) && isMail(other) && one.toLowerCase() === other.toLowerCase()))
    return true;
  const [a, b] = [readPlace(one), readPlace(other)];
  if (!a || !b || a.channel !== b.channel || a.id !== b.id) return false;
  return a.account === undefined || b.account === undefined || a.account === b.account;
}

export const isMail = (place: string): boolean => /^[\x21-\x7e]+@[\x21-\x7e]+$/u.test(place);

/** Whether it says by itself who that is. Pure. */
export const isPlace = (place: string): boolean => isMail(place) || readPlace(place) !== undefined;

function readPlace(place: string): Place | undefined {
  // A session key names its conversation.
  const [, of, peer] =
    /^(?:session:)?agent:.*?:([a-z0-9_-]+):(?:group|room|direct|dm|user):([^:@\s]+)(?::(?:thread|topic):[^:@\s]+)?$/u.exec(
      place,
    ) ?? [];
  if (of !== undefined && peer !== undefined) return { channel: of, account: undefined, id: peer };
  // The suffix after the id is its kind; people write the id alone.
  const [, channel, account, id] =
    /^([a-z0-9_-]+)(?:\/([^:]+))?:([^@\s]+?)(?:#(?:group|room|thread\/[^#@\s]+))*$/u.exec(place) ?? [];
  return channel === undefined || id === undefined ? undefined : { channel, account, id };
}
