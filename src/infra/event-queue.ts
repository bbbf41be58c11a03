/** Events from several producers to one reader, in the order they were given. */
export interface EventQueue<Item> {
  push(item: Item): void;
  /** Ends only when the reader leaves. For one reader. */
  items(): AsyncGenerator<Item, never>;
}

export function createEventQueue<Item>(): EventQueue<Item> {
  let waiting: Item[] = [];
  let arrived = Promise.withResolvers<void>();
  return {
    push(item) {
      waiting.push(item);
      arrived.resolve();
    },
    async *items() {
      for (;;) {
        await arrived.promise;
        const batch = waiting;
        waiting = [];
        arrived = Promise.withResolvers();
        yield* batch;
      }
    },
  };
}
