/** Since when the gateway is unreachable: from then on the page shows only the last known state. */
import type { LinkState } from "@pincer/sdk/client";

export interface LinkWatch {
  /** The link is in this state now. */
  heard(type: LinkState["type"]): void;
  /** RFC 3339; undefined while there is a connection, and before the first one. */
  lostAt(): string | undefined;
  /** Calls when the connection was lost and when it is back. The answer ends it. */
  onChange(listener: () => void): () => void;
}

export function createLinkWatch({ now }: { now(): string }): LinkWatch {
  const listeners = new Set<() => void>();
  let wasConnected = false;
  let lostAt: string | undefined;

  function become(next: string | undefined): void {
    if (next === lostAt) return;
    lostAt = next;
    for (const listener of listeners) listener();
  }

  return {
    heard(type) {
      if (type === "connected") {
        wasConnected = true;
        become(undefined);
      } else if (wasConnected) become(lostAt ?? now());
    },
    lostAt: () => lostAt,
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
