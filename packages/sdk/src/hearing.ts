/** For networks that only push: one listener gets everything, and a caller that has asked something finds the answer in it. */
export interface Hearing<Message> {
  /** Something was said. What comes before anybody listens is kept, up to a bound. */
  tell(message: Message): void;
  /** Hears everything in order, from the first message on. Must not throw; a second listener takes the place of the first. */
  listen(listener: (message: Message) => void): void;
  /** Answers with all that was said from the beginning of `act` until the answer, that one included. Rejects when the signal aborts, or as `act` does. */
  exchange(question: Question<Message>): Promise<Message[]>;
}

export interface Question<Message> {
  /** What it is about. */
  act?: () => void | Promise<void>;
  /** Asks, when that is done. */
  ask(): void;
  isAnswer(message: Message): boolean;
  signal: AbortSignal;
}

/** At most this many before anybody listens: more is not a greeting. */
const mostEarly = 2000;

export function createHearing<Message>(): Hearing<Message> {
  const early: Message[] = [];
  const waiting = new Set<(message: Message) => void>();
  let hear = (message: Message): void => void (early.length < mostEarly && early.push(message));
  return {
    tell(message) {
      hear(message);
      for (const ear of waiting) ear(message);
    },
    listen(listener) {
      for (const message of early.splice(0)) listener(message);
      hear = listener;
    },
    async exchange({ act, ask, isAnswer, signal }) {
      const heard: Message[] = [];
      const { promise: answered, resolve, reject } = Promise.withResolvers<void>();
      const ear = (message: Message) => {
        heard.push(message);
        if (!isAnswer(message)) return;
        waiting.delete(ear);
        resolve();
      };
      const onAbort = () => reject(signal.reason);
      // Where acting fails as well, that is what is told.
      answered.catch(() => undefined);
      waiting.add(ear);
      signal.addEventListener("abort", onAbort, { once: true });
      try {
        await act?.();
        signal.throwIfAborted();
        ask();
        await answered;
        return heard;
      } finally {
        waiting.delete(ear);
        signal.removeEventListener("abort", onAbort);
      }
    },
  };
}
