/**
 * Remembers where each workdir really was when it was first used. A workdir may lie inside another: whoever works in the outer one could put a link in
 * the place of the inner, and whoever works in that would work wherever the link leads. It also hears of what Pincer itself changes, so that this can
 * be told from what programs do.
 */
export interface WorkdirRegistry {
  /** `real`, the real path that the workdir has now. Throws MovedWorkdir where it was another when this was first asked; one that was removed and made again is the same. */
  same(workdir: string, real: string): string;
  /** Said right before Pincer itself changes, makes or removes what has this real path. */
  changing(real: string): void;
  /** `hear` is told of each such path from now on, until the answer is called. It must not throw. */
  follow(hear: (real: string) => void): () => void;
}

/** The message is fit for the model and for people. */
export class MovedWorkdir extends Error {
  override readonly name = "MovedWorkdir";
}

export function createWorkdirRegistry(): WorkdirRegistry {
  const known = new Map<string, string>();
  const followers = new Set<(real: string) => void>();
  return {
    changing(real) {
      for (const hear of followers) hear(real);
    },
    follow(hear) {
      followers.add(hear);
      return () => void followers.delete(hear);
    },
    same(workdir, real) {
      const first = known.get(workdir) ?? real;
      known.set(workdir, first);
      if (first !== real) throw new MovedWorkdir(movedWords(workdir));
      return real;
    },
  };
}

const movedWords = (workdir: string): string =>
  `the workdir ${workdir} leads to another directory than before; restart Pincer if you moved it`;
