/**
 * Looks at the bytes of a network that speaks in lines, and calls once a line has gone on for more than so many of them: whoever waits for its
 * end would keep it all. `onEndless` must not throw.
 */
export function watchLines(
  longestBytes: number,
  onEndless: () => void,
): (chunk: Pick<Uint8Array, "length" | "lastIndexOf">) => void {
  let bytes = 0;
  return (chunk) => {
    const end = chunk.lastIndexOf(newline);
    bytes = end < 0 ? bytes + chunk.length : chunk.length - end - 1;
    if (bytes > longestBytes) onEndless();
  };
}

const newline = 10;
