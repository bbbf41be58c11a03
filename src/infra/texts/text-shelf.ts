/** Texts in a file, one part after the other; a part is read when the first of its texts is said. */
import { closeSync, openSync, readSync } from "node:fs";

/** Where a part stands in the file: how many bytes from the beginning, and how many it has. */
export type ShelfParts = Readonly<Record<string, readonly [from: number, bytes: number]>>;

export interface TextShelf {
  /** Throws where the file is gone or has no such text. */
  find(key: string): string;
}

/** The part of a text is what stands before the first dot of its key. */
export const partOf = (key: string): string => key.slice(0, key.indexOf("."));

export function createTextShelf({ file, parts }: { file: URL; parts: ShelfParts }): TextShelf {
  const read = new Map<string, Readonly<Record<string, string>>>();

  function take(part: string): Readonly<Record<string, string>> {
    const place = parts[part];
    if (!place) return {};
    const [from, bytes] = place;
    const buffer = Buffer.alloc(bytes);
    const descriptor = openSync(file, "r");
    try {
      readSync(descriptor, buffer, 0, bytes, from);
    } finally {
      closeSync(descriptor);
    }
    return JSON.parse(buffer.toString()) as Record<string, string>;
  }

  return {
    find(key) {
      const part = partOf(key);
      let texts = read.get(part);
      if (!texts) {
        texts = take(part);
        read.set(part, texts);
      }
      const found = texts[key];
      if (found === undefined) throw new Error(`there is no text ${key}`);
      return found;
    },
  };
}
