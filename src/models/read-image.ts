/** Pictures for models: their type comes from their first bytes, not from their sender. */
import type { MediaStore } from "@pincer/sdk";

/** Undefined when it is gone, or nothing that models look at. Throws nothing. */
export const imageReader =
  ({ read }: Pick<MediaStore, "read">) =>
  async (media: string): Promise<{ data: Buffer; mimeType: string } | undefined> => {
    // A picture that is gone must not end every turn of the session in which it was shown.
    const bytes = await read(media).catch(() => undefined);
    const mimeType = bytes && imageType(bytes);
    return mimeType ? { data: Buffer.from(bytes), mimeType } : undefined;
  };

const beginnings: Array<{ mimeType: string; at: number; bytes: string }> = [
  { mimeType: "image/png", at: 0, bytes: "\x89PNG\r\n\x1a\n" },
  { mimeType: "image/jpeg", at: 0, bytes: "\xff\xd8\xff" },
  { mimeType: "image/gif", at: 0, bytes: "GIF8" },
  { mimeType: "image/webp", at: 8, bytes: "WEBP" },
];

const imageType = (content: Uint8Array): string | undefined =>
  beginnings.find(({ at, bytes }) =>
    [...bytes].every((character, index) => content[at + index] === character.charCodeAt(0)),
  )?.mimeType;
