/**
 * `/signin` and `/browsers`: the owner signs a browser in from a direct chat, and lists and signs out browsers. The
 * answer of `/signin` works once and for minutes, and is stored nowhere else.
 */
import type { Say } from "../infra/texts.ts";
import type { AccessRecord } from "../storage/access/access.ts";
import { answered, type Command, type CommandCall } from "./command.ts";

export interface SignInCommandParts {
  say: Say;
  browsers: {
    /**
     * A link that lets one browser in, once; `isStored`: the answer lies in the outbox for a while, so the code must be hidden wherever else it
     * turns up. `isOutside`: it leads here from elsewhere, too. Undefined where no page is served.
     */
    makeLink(request: {
      by: string;
      isStored: boolean;
    }): Promise<{ link: string; code: string; isOutside: boolean } | undefined>;
    /** Browsers that are in, newest first. */
    list(): Promise<AccessRecord[]>;
    /** Those that were ended; none where there was none. */
    end(id: string, by: string): Promise<AccessRecord[]>;
  };
}

type Parts = SignInCommandParts;

const owners = { group: "about", access: "owner-alone" } as const;

export const signInCommands: ReadonlyArray<Command<Parts>> = [
  {
    name: "signin",
    aliases: ["login"],
    ...owners,
    usage: "",
    help: "command.about.signin",
    refusal: "signin.refusal",
    arguments: [],
    run: async (parts, call) => answered(await signIn(parts, call)),
  },
  {
    name: "browsers",
    aliases: [],
    ...owners,
    usage: "[<id>|all]",
    help: "command.about.browsers",
    refusal: "signin.refusal",
    arguments: [{ name: "id", choices: ["all"] }],
    run: async (parts, call) => answered(await browsers(parts, call)),
  },
];

async function signIn({ say, browsers: door }: Parts, { context }: CommandCall): Promise<string> {
  const isStored = context.destination !== null;
  // At the terminal it is the owner at home, whom no channel names.
  const made = await door.makeLink({ by: isStored ? by(context.person.id) : "owner", isStored });
  if (!made) return say("signin.no-page");
  const { link, code, isOutside } = made;
  return isOutside ? say("signin.link", { link }) : say("signin.local", { link, code });
}

/** Without a word they are listed; with one, that one is ended, or all of them. */
async function browsers({ say, browsers: door }: Parts, { words, context }: CommandCall): Promise<string> {
  const there = await door.list();
  if (words === "") return listed(there, say);
  const isAll = words.toLowerCase() === "all";
  const meant = isAll ? there : there.filter(({ id }) => id === words);
  if (meant.length === 0) return isAll ? say("signin.nobody") : say("signin.unknown", { id: words });
  let ended = 0;
  for (const { id } of meant) ended += (await door.end(id, by(context.person.id))).length;
  return say("signin.ended", { count: ended });
}

function listed(there: readonly AccessRecord[], say: Say): string {
  if (there.length === 0) return say("signin.nobody");
  const lines = there
    .slice(0, mostListed)
    .map(({ id, name, role, lastUsedAt, createdAt }) =>
      say("signin.browser", { id, name, role, at: (lastUsedAt ?? createdAt).slice(0, 16).replace("T", " ") }),
    );
  return [...lines, say("signin.how-to-end")].join("\n");
}

const mostListed = 20;

/** As it is written down: who it was, and that it was said in a chat. */
const by = (personId: string): string => `chat:${personId}`;
