/**
 * What libraries take from the process although nobody hands it to them: its `fetch` and its console. Within a call they find ours
 * instead, a fetch that keeps keys at home and a console that says nothing; everybody else finds what was there before.
 */
import { AsyncLocalStorage } from "node:async_hooks";

interface Lent {
  fetch: typeof globalThis.fetch | undefined;
}

const calls = new AsyncLocalStorage<Lent>();

/** Whatever `act` begins finds `fetch` in the place of the process's own, where one is given, and prints nothing. */
export function withLentGlobals<Result>(lent: Lent, act: () => Result): Result {
  lendFetch();
  lendConsole();
  return calls.run(lent, act);
}

let lendingFetch: typeof globalThis.fetch | undefined;

/** Looked at with each call: others may have put a fetch of theirs in its place meanwhile. */
function lendFetch(): void {
  if (globalThis.fetch === lendingFetch) return;
  const own = globalThis.fetch;
  lendingFetch = (input, init) => (calls.getStore()?.fetch ?? own)(input, init);
  globalThis.fetch = lendingFetch;
}

const silenced = ["debug", "error", "info", "log", "warn"] as const;
const lendingConsoles = new WeakSet<Console>();

function lendConsole(): void {
  const { console } = globalThis;
  if (lendingConsoles.has(console)) return;
  lendingConsoles.add(console);
  for (const name of silenced) {
    const own = console[name];
    console[name] = (...said: unknown[]) => {
      if (!calls.getStore()) own.apply(console, said);
    };
  }
}
