/** Runs work on the same thing one after another, in the order it came; work on different things side by side. A failure stops nobody else. */
export function createOneAtATime(): <Result>(thing: string, work: () => Promise<Result>) => Promise<Result> {
  const last = new Map<string, Promise<unknown>>();
  return (thing, work) => {
    const before = last.get(thing) ?? Promise.resolve();
    const mine = before.then(work, work);
    last.set(thing, mine);
    const forget = () => {
      if (last.get(thing) === mine) last.delete(thing);
    };
    mine.then(forget, forget);
    return mine;
  };
}
