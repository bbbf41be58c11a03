/**
 * Remembers the real path of each workdir from its first use. A workdir may lie inside another: from the outer one, a
 * program could replace the inner by a link that leads anywhere. It also reports our own changes, to distinguish them
 * from those of programs.
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
