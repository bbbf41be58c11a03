import { rename } from "node:fs/promises";
import { isThere } from "../../infra/is-there.ts";

/** Keeps a file that is not to count any more as `.bak-<n>`; answers with that name. */
export async function setAsideTranscript(path: string): Promise<string> {
  let number = 1;
  while (await isThere(`${path}.bak-${number}`)) number++;
  const aside = `${path}.bak-${number}`;
  await rename(path, aside);
  return aside;
}
