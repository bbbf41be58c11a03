/** The unread part of an answer. The reader of the connection waits while it is full. */
export interface AnswerQueue<Item> {
  push(item: Item): void;
  /** Ends only when the reader leaves. For one reader. */
  items(): AsyncGenerator<Item, never>;
  /** Resolves when there is room, or when nobody reads any more. */
  ready(): Promise<void>;
  /** Nobody reads any more. */
  leave(): void;
}

export function createAnswerQueue<Item>(mostWaiting: number): AnswerQueue<Item> {
  let arrivals: Item[] = [];
  let arrived = Promise.withResolvers<void>();
  /** How many have not been read. */
  let waiting = 0;
  let hasLeft = false;
  let room = Promise.withResolvers<void>();
  room.resolve();

  function look(): void {
    if (hasLeft || waiting < mostWaiting) room.resolve();
  }

  return {
    push(item) {
      waiting++;
      if (waiting === mostWaiting && !hasLeft) room = Promise.withResolvers();
      arrivals.push(item);
      arrived.resolve();
    },
    async *items() {
      for (;;) {
        await arrived.promise;
        const batch = arrivals;
        arrivals = [];
        arrived = Promise.withResolvers();
        for (const item of batch) {
          waiting--;
          look();
          yield item;
        }
      }
    },
    ready: () => room.promise,
    leave() {
      hasLeft = true;
      look();
    },
  };
}
