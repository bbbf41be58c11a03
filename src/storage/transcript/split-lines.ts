/** Cuts a stream of bytes into lines without holding more than one of them. */
export interface LineSplitter {
  push(chunk: Uint8Array): void;
  /** Hands over what stands behind the last line break, if anything. */
  end(): void;
}

export interface RawLine {
  /** Counted from 1. */
  number: number;
  /** Without its line break; null when it was longer than the limit and not kept. */
  bytes: Uint8Array | null;
  /** False for a last line without a line break. */
  isEnded: boolean;
}

export function createLineSplitter(longest: number, take: (line: RawLine) => void): LineSplitter {
  let pieces: Uint8Array[] = [];
  let size = 0;
  let number = 0;

  const keep = (piece: Uint8Array) => {
    size += piece.length;
    if (size > longest) pieces = [];
    else if (piece.length > 0) pieces.push(piece);
  };
  const finish = (isEnded: boolean) => {
    const [only] = pieces;
    const bytes = only && pieces.length === 1 ? only : Buffer.concat(pieces);
    take({ number: ++number, bytes: size > longest ? null : bytes, isEnded });
    pieces = [];
    size = 0;
  };

  return {
    push(chunk) {
      let start = 0;
      for (let end = chunk.indexOf(lineBreak); end >= 0; end = chunk.indexOf(lineBreak, start)) {
        keep(chunk.subarray(start, end));
        finish(true);
        start = end + 1;
      }
      keep(chunk.subarray(start));
    },
    end() {
      if (size > 0) finish(false);
    },
  };
}

const lineBreak = 0x0a;
