/** The embedder in use. A problem with choosing one must not keep anybody from searching by words. */
import { asPincerError } from "@pincer/sdk";
import type { EmbedderChoice } from "./memory-surroundings.ts";

export interface CurrentEmbedder {
  /** As chosen last. Never throws: where none can be chosen it is none, with the problem. */
  now(): Promise<EmbedderChoice>;
  /** Checks again: a key was stored, a package installed, a server started. True if the choice has changed. */
  look(): Promise<boolean>;
}

export function createCurrentEmbedder(find: () => Promise<EmbedderChoice>): CurrentEmbedder {
  let current: Promise<EmbedderChoice> | undefined;
  const choose = () => find().catch(withoutEmbedder);
  return {
    now: () => (current ??= choose()),
    async look() {
      const before = current && (await current);
      current = choose();
      const { spec } = await current;
      return before !== undefined && JSON.stringify(before.spec) !== JSON.stringify(spec);
    },
  };
}

function withoutEmbedder(error: unknown): EmbedderChoice {
  const { message, hint } = asPincerError(error);
  const problem = [message, hint].filter(Boolean).join(" ");
  return { spec: { type: "none" }, provider: "none", why: problem, problem };
}
