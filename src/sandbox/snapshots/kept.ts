/** What a path held at a moment, in the few facts that can be put back. */
export type Kept =
  | {
      type: "file";
      mode: number;
      /** Of what it holds; left out where that was too much to keep. */
      digest?: string;
      /** Size, times and number of the file: while they stay, so does what it holds. */
      seen: string;
      /** Changed so shortly before it was read that its times could stay while it changes again. */
      isFresh?: true;
    }
  | { type: "link"; target: string }
  | {
      type: "directory";
      mode: number;
      /** How much is in it, where that is too much to keep. */
      unkeptBytes?: number;
    };

/** Null where nothing has the path. */
export type State = Kept | null;

/** What a tree held. */
export interface Tree {
  entries: Map<string, Kept>;
  /** Paths of which nothing is known, nor of what is below them. */
  unknown: string[];
  /** What is there and could not be kept. */
  notKept: string[];
}

/** One path that is not what it was. */
export interface Change {
  path: string;
  before: State;
  after: State;
}

export const emptyTree = (): Tree => ({ entries: new Map(), unknown: [], notKept: [] });

export function isSame(one: State, other: State): boolean {
  if (one === null || other === null) return one === other;
  if (one.type === "file" && other.type === "file") return one.mode === other.mode && holdsSame(one, other);
  if (one.type === "link" && other.type === "link") return one.target === other.target;
  return one.type === "directory" && other.type === "directory" && one.mode === other.mode;
}

type KeptFile = Extract<Kept, { type: "file" }>;

const holdsSame = (one: KeptFile, other: KeptFile): boolean =>
  one.digest !== undefined && other.digest !== undefined
    ? one.digest === other.digest
    : one.seen === other.seen;

/** Whether what was there can be made again. */
export const canMake = (state: State): boolean => state?.type !== "file" || state.digest !== undefined;
