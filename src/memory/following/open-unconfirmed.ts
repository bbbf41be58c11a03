import {
  confirmLine,
  dropLine,
  listUnconfirmed,
  noSuchLine,
  type UnconfirmedFiles,
} from "../unconfirmed-lines.ts";
import type { UnconfirmedMemory } from "./memory.ts";

/** Over the files of a workdir; without one there is nothing that waits. */
export function openUnconfirmed(files: UnconfirmedFiles | undefined): UnconfirmedMemory {
  const nothing = async (ref: string): Promise<never> => {
    throw noSuchLine(ref);
  };
  if (!files) return { list: async () => [], confirm: nothing, drop: nothing };
  return {
    list: () => listUnconfirmed(files),
    confirm: (ref) => confirmLine(files, ref),
    drop: (ref) => dropLine(files, ref),
  };
}
