/** Whom the owner has given a name: contacts, and people who are one on several channels. */
import type { Config } from "../../config/schema.ts";

/** Where somebody is: `channel:id` or `channel/account:id`. */
export interface PlaceName {
  channel: string;
  accountId: string | undefined;
  id: string;
}

export interface Contact {
  name: string;
  places: PlaceName[];
}

/** Each name with all places that the config gives it, in its order; addresses that are no place of a channel are left out. Pure. */
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

/** By its very name, or by the one name that differs in case alone. Several that do are none. Pure. */
export function findContact(contacts: readonly Contact[], asked: string): Contact | undefined {
  const name = asked.trim().normalize("NFC");
  const same = contacts.find((contact) => contact.name.normalize("NFC") === name);
  if (same) return same;
  const alike = contacts.filter((contact) => fold(contact.name) === fold(name));
  return alike.length === 1 ? alike[0] : undefined;
}

const fold = (name: string): string => name.normalize("NFC").toLowerCase();

/** Cut at the first colon, as owners are: ids may hold more of them, channels and accounts none. Undefined where it is no such thing. */
export function readPlace(text: string): PlaceName | undefined {
  const [, channel, accountId, id] = /^([^:/\s]+)(?:\/([^:]+))?:(.+)$/s.exec(text.trim()) ?? [];
  return channel === undefined || id === undefined ? undefined : { channel, accountId, id };
}
