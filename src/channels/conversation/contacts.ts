/** People whom the owner has named: contacts, and identities that belong to one person. */
import type { Config } from "../../config/schema.ts";

/** A place of a person: `channel:id` or `channel/account:id`. */
export interface PlaceName {
  channel: string;
  accountId: string | undefined;
  id: string;
}

export interface Contact {
  name: string;
  places: PlaceName[];
}

/** Each name with all its places, in config order; addresses that are no place of a channel are left out. Pure. */
export function contactsOf({ contacts, session }: Pick<Config, "contacts" | "session">): Contact[] {
  const named = [...Object.entries(contacts), ...Object.entries(session.identityLinks)];
  return [...new Set(named.map(([name]) => name))].map((name) => ({
    name,
    places: named
      .filter(([other]) => other === name)
      .flatMap(([, places]) => places.map(readPlace))
      .filter((place) => place !== undefined),
  }));
}

/** The exact name, or the only name that differs in case alone. Undefined if several do. Pure. */
export function findContact(contacts: readonly Contact[], asked: string): Contact | undefined {
  const name = asked.trim().normalize("NFC");
  const same = contacts.find((contact) => contact.name.normalize("NFC") === name);
  if (same) return same;
  const alike = contacts.filter((contact) => fold(contact.name) === fold(name));
  return alike.length === 1 ? alike[0] : undefined;
}

const fold = (name: string): string => name.normalize("NFC").toLowerCase();

/**
 * Split at the first colon, as owners are: ids may contain colons, channels and accounts may not. Undefined if
 * invalid.
 */
export function readPlace(text: string): PlaceName | undefined {
  const [, channel, accountId, id] = /^([^:/\s]+)(?:\/([^:]+))?:(.+)$/s.exec(text.trim()) ?? [];
  return channel === undefined || id === undefined ? undefined : { channel, accountId, id };
}
