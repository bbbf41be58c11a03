/**
 * Watches the bytes of a line protocol, and calls back once a line exceeds a number of bytes: a reader that waits for
 * its end would buffer all of it. `onEndless` must not throw.
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
