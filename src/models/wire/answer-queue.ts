/** What of an answer has not been read yet. Whoever reads the connection waits while it is full. */
import { createEventQueue } from "../../infra/event-queue.ts";

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
  const queue = createEventQueue<Item>();
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
      queue.push(item);
    },
    async *items() {
      for await (const item of queue.items()) {
        waiting--;
        look();
        yield item;
      }
      throw new Error("an answer has no end of its own");
    },
    ready: () => room.promise,
    leave() {
      hasLeft = true;
      look();
    },
  };
}
