/**
 * How a gateway ends: what was registered last ends first, each within its share of the available time. A failure does
 * not keep the others from ending.
 */
export interface Lifetime {
  /** `end` is called once, when the gateway ends or its start has failed. `share`: the part of all the time that it may take. */
  onEnd(what: string, end: (withinMs: number) => unknown, share?: number): void;
  /** From now on what goes wrong at the end is told here. */
  tellTroubleTo(trouble: (what: string, error: unknown) => void): void;
  /** Safe to call twice. Throws only what went wrong while nobody was told of trouble. */
  end(withinMs: number): Promise<void>;
}

export function createLifetime(): Lifetime {
  const stack = new AsyncDisposableStack();
  let withinMs = 0;
  let tell: ((what: string, error: unknown) => void) | undefined;
  return {
    onEnd(what, end, share = 0) {
      stack.defer(async () => {
        try {
          await end(withinMs * share);
        } catch (error) {
          if (!tell) throw error;
          tell(what, error);
        }
      });
    },
    tellTroubleTo: (trouble) => void (tell = trouble),
    async end(ms) {
      withinMs = ms;
      await stack.disposeAsync();
    },
  };
}
