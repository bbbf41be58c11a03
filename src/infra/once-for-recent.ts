/**
 * What a pure function makes of a text, kept for the texts that came last: the same few conversations, secrets and runs are named again and
 * again. At most `most` are kept; the one that has been there longest goes first. What it makes must not be changed by whoever is given it: an
 * object is frozen, see `frozen`.
 */
export function onceForRecent<Made>(make: (text: string) => Made, most: number): (text: string) => Made {
  const kept = new Map<string, Made>();
  return (text) => {
    const known = kept.get(text);
    if (known !== undefined) return known;
    const made = make(text);
    const [oldest] = kept.keys();
    if (kept.size >= most && oldest !== undefined) kept.delete(oldest);
    kept.set(text, made);
    return made;
  };
}
