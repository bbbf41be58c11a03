/**
 * Finds the recipient that a text names: a contact, `channel:id`, `channel/account:id`, or a session key. Ids are
 * compared exactly, and display names are ignored. An ambiguous text names nobody, and neither does a person whom the
 * owner has not admitted.
 */
import { recipientOf, type Destination } from "@pincer/sdk";
import type { Config } from "../../config/schema.ts";
import {
  isOwner,
  type Caller,
  type Recipient,
  type Refused,
} from "../../tools/conversation/conversation-access.ts";
import { contactsOf, findContact, readPlace, type PlaceName } from "./contacts.ts";
import type { KnownPlaces } from "./known-places.ts";

export interface FindRecipientParts {
  config(): Config;
  places: KnownPlaces;
  /** Where the answers of a session are read; undefined if unknown. */
  destinationOf(sessionKey: string, agentId: string): Promise<Destination | undefined>;
}

/** Throws only what the storage does. */
export type FindRecipient = (to: string | undefined, caller: Caller) => Promise<Recipient | Refused>;

interface Meant {
  name?: string;
  /** In order of preference: each is one place, several candidates, or none. */
  choices: Destination[][];
  /** Whether the owner's config allows to write to them. */
  isNamedByOwner: boolean;
}

export function createFindRecipient({ config, places, destinationOf }: FindRecipientParts): FindRecipient {
  async function read(to: string, agentId: string): Promise<Meant | undefined> {
    const contact = findContact(contactsOf(config()), to);
    if (contact) {
      const { name } = contact;
      return { name, choices: await choicesFor(contact.places, agentId), isNamedByOwner: true };
    }
    if (to.trim().toLowerCase() === ownersName) {
      const owned = (await places.ownersPlaces()).map(readPlace).filter((place) => place !== undefined);
      return { name: ownersName, choices: await choicesFor(owned, agentId), isNamedByOwner: true };
    }
    const place = readPlace(to);
    if (/^(?:agent|tenant):/.test(to.trim())) {
      const destination = await destinationOf(to, agentId);
      return destination && { choices: [[destination]], isNamedByOwner: false };
    }
    return place && { choices: await choicesFor([place], agentId), isNamedByOwner: false };
  }

  const choicesFor = (named: readonly PlaceName[], agentId: string) =>
    Promise.all(named.map((place) => places.candidates(place, agentId)));

  /** The candidates that may be written to. */
  async function open({ choices, isNamedByOwner }: Meant, agentId: string): Promise<Destination[][]> {
    const contacts = contactsOf(config()).flatMap((contact) => contact.places);
    const isContact = (destination: Destination) =>
      isNamedByOwner || contacts.some((place) => isAt(place, destination));
    return Promise.all(
      choices.map(async (choice) => {
        const used = choice.filter(places.isInUse);
        const isIn = await Promise.all(used.map((each) => places.isLetIn(each, agentId)));
        const letIn = used.filter((_, index) => isIn[index]);
        // A contact needs no other permission; if several accounts have the id, prefer those that know the person.
        return letIn.length > 0 ? letIn : used.filter(isContact);
      }),
    );
  }

  return async function find(to, { place, conversation }) {
    const own = conversation && recipientOf(conversation);
    const recipient = (destination: Destination, name?: string): Recipient => {
      const key = recipientOf(destination);
      return { destination, name, key, isOwn: key === own };
    };
    if (to === undefined)
      return conversation
        ? recipient(conversation)
        : {
            refused:
              "this turn has no conversation of its own to send to; answer with your reply, or say to whom",
          };
    if (!place) return { refused: "nobody knows who asks" };

    const meant = await read(to, place.agentId);
    const same = meant?.choices.flat().find((destination) => recipientOf(destination) === own);
    if (same) return recipient(same, meant?.name);
    // The same refusal for all cases: the caller must not learn who exists.
    if (!isOwner(place))
      return { refused: "only this conversation can be written to from here; leave `to` out" };
    if (!meant) return { refused: unknownWords(to, place.chatType === "main" ? config() : undefined) };
    const choices = await open(meant, place.agentId);
    const [only] = choices.find((choice) => choice.length === 1) ?? [];
    if (only) return recipient(only, meant.name);
    const several = choices.find((choice) => choice.length > 1);
    return { refused: several ? severalWords(to, several) : closedWords(to, meant) };
  };
}

const ownersName = "owner";

const isAt = (place: PlaceName, { channel, accountId, target }: Destination): boolean =>
  place.channel === channel &&
  place.id === target.peerId &&
  (place.accountId === undefined || place.accountId === accountId);

const mostNamed = 30;

/** Lists possible recipients only if nobody but the owner reads along. */
function unknownWords(to: string, config: Config | undefined): string {
  const names = config ? contactsOf(config).map(({ name }) => JSON.stringify(name)) : [];
  const known = names.length === 0 ? "" : ` Contacts: ${names.slice(0, mostNamed).join(", ")}.`;
  return `${JSON.stringify(to)} is no recipient: it takes the name of a contact, "owner", channel:id, channel/account:id or a session key; a display name is none.${known}`;
}

const closedWords = (to: string, { choices }: Meant): string =>
  choices.flat().length === 0
    ? `${JSON.stringify(to)} is on no account that is in use`
    : `${JSON.stringify(to)} may not be written to: it is neither the owner nor a contact, nor somebody or a group that the owner has let in`;

const severalWords = (to: string, found: readonly Destination[]): string =>
  found.some(({ target }) => target.peerKind !== found[0]?.target.peerKind)
    ? `${JSON.stringify(to)} is a person and a group: name the session by its key`
    : `${JSON.stringify(to)} could be ${found.map(spelled).join(" or ")}: say which`;

const spelled = ({ channel, accountId, target }: Destination): string =>
  `${channel}/${accountId}:${target.peerId}`;
