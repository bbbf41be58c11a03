/** What the connector keeps over restarts: the number of the next update, and what long buttons say. */
import { createHash } from "node:crypto";
import type { ChannelHost } from "@pincer/sdk";
import { Type, type Static } from "typebox";
import { Check } from "typebox/value";

export interface ReadingPlace {
  /** Reads what was kept, unless that is done. Throws where it cannot be read now; the next call tries again. */
  open(): Promise<void>;
  /** The number of the next update to ask for; undefined where any will do. */
  offset(): number | undefined;
  /** Everything before this number is stored. Throws what the cursor throws. */
  moveTo(offset: number): Promise<void>;
  /** A short name for a long text, known over restarts once this has resolved. Throws what the cursor throws. */
  nameOf(text: string): Promise<string>;
  /** The text behind such a name; undefined once it was pushed out by later ones. */
  textOf(name: string): string | undefined;
}

const Kept = Type.Object({
  offset: Type.Optional(Type.Integer({ minimum: 0 })),
  movedAt: Type.Optional(Type.Number()),
  texts: Type.Array(Type.Tuple([Type.String(), Type.String()])),
});

const mostTexts = 100;
/** After a week of silence Telegram renumbers, perhaps from a lower number; the host detects duplicates. */
const offsetCountsMs = 6 * 24 * 60 * 60 * 1000;

export function createReadingPlace({ cursor, clock }: Pick<ChannelHost, "cursor" | "clock">): ReadingPlace {
  const texts = new Map<string, string>();
  let offset: number | undefined;
  let movedAt: number | undefined;
  let isOpen = false;

  async function open(): Promise<void> {
    if (isOpen) return;
    const loaded = await cursor.load().catch((cause: unknown) => {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new Error(`where this account stopped reading cannot be loaded: ${reason}`, { cause });
    });
    // Somebody else has waited for it too.
    if (isOpen) return;
    isOpen = true;
    const kept = parseKept(loaded);
    for (const [name, text] of kept.texts) texts.set(name, text);
    ({ offset, movedAt } = kept);
  }

  const save = () =>
    cursor.save(
      JSON.stringify({
        ...(offset !== undefined && { offset }),
        ...(movedAt !== undefined && { movedAt }),
        texts: [...texts],
      }),
    );
  return {
    open,
    offset: () => (movedAt !== undefined && clock.now() - movedAt > offsetCountsMs ? undefined : offset),
    async moveTo(next) {
      if (next === offset) return;
      offset = next;
      movedAt = clock.now();
      await save();
    },
    async nameOf(text) {
      // What was kept is not overwritten unread.
      await open();
      const name = createHash("sha256").update(text).digest("base64url").slice(0, 22);
      if (texts.get(name) === text) return name;
      texts.set(name, text);
      for (const oldest of [...texts.keys()].slice(0, -mostTexts)) texts.delete(oldest);
      await save();
      return name;
    },
    textOf: (name) => texts.get(name),
  };
}

function parseKept(cursor: string | undefined): Static<typeof Kept> {
  try {
    const kept: unknown = JSON.parse(cursor ?? "");
    if (Check(Kept, kept)) return kept;
  } catch {
    // No stored position, or not ours: start over, and let the ids detect duplicates.
  }
  return { texts: [] };
}
