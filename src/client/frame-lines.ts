/**
 * Splits a stream of bytes into lines. A line is buffered as bytes until it is complete, so that a character split
 * between two chunks is never seen in halves. Each byte is read once, however small the chunks are.
 */
export interface FrameLines {
  /** The lines that these bytes complete, without their ends; `too-long` once a line is larger than it may be. */
  push(chunk: Buffer): string[] | "too-long";
}

const lineEnd = 0x0a;

export function createFrameLines(largestBytes: number): FrameLines {
  let pieces: Buffer[] = [];
  let size = 0;

  const take = (last: Buffer): string => {
    const line = pieces.length === 0 ? last : Buffer.concat([...pieces, last]);
    pieces = [];
    size = 0;
    return line.toString("utf8");
  };

  return {
    push(chunk) {
      const lines: string[] = [];
      let from = 0;
      for (let end = chunk.indexOf(lineEnd); end >= 0; end = chunk.indexOf(lineEnd, from)) {
        if (size + end - from > largestBytes) return "too-long";
        lines.push(take(chunk.subarray(from, end)));
        from = end + 1;
      }
      if (from < chunk.length) {
        pieces.push(chunk.subarray(from));
        size += chunk.length - from;
      }
      return size > largestBytes ? "too-long" : lines;
    },
  };
}
