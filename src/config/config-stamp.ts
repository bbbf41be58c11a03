import { stat } from "node:fs/promises";

/** Another one after each change of the file. Never throws. */
export async function configStamp(file: string): Promise<string> {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = await stat(file, { bigint: true });
    return [dev, ino, size, mtimeNs, ctimeNs].join(" ");
  } catch (error) {
    // Loading it says what is wrong.
    return String((error as NodeJS.ErrnoException).code);
  }
}
