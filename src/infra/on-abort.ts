/**
 * Calls when the signal aborts, not for an abort that has been; answers what takes that back, which is safe to call twice and has to be
 * called on every way out where the signal lives on. Without `once`, which says nothing here, as a signal aborts only once: Node takes
 * as long to read it as for much of the rest.
 */
export function onAbort(signal: AbortSignal, act: () => void): () => void {
  signal.addEventListener("abort", act);
  return () => signal.removeEventListener("abort", act);
}
