/** The connection to the gateway, and what views are handed to use it: one page, whatever becomes of the connection. */
import type { GatewayLink, LinkState } from "@pincer/sdk/client";
import { openLink } from "./connect.ts";
import { createLinkWatch } from "./link-watch.ts";
import type { Me, Page } from "./page.ts";

/** What the shell around the views does for them. */
export type ShellServices = Pick<Page, "say" | "language" | "go" | "tell" | "confirm">;

export interface Connection {
  /** Undefined while it is closed. */
  link(): GatewayLink | undefined;
  /** Closes the one before. */
  open(): void;
  /** Safe to call twice. */
  close(): void;
  /** Undefined while it is closed. */
  pageFor(me: Me, services: ShellServices): Page | undefined;
}

export function createConnection({ onState }: { onState(state: LinkState): void }): Connection {
  let link: GatewayLink | undefined;
  const gapListeners = new Set<() => void>();
  const watch = createLinkWatch({ now: () => new Date().toISOString() });

  function close(): void {
    link?.close();
    link = undefined;
  }

  return {
    link: () => link,
    close,
    open() {
      close();
      link = openLink({
        onState(state) {
          watch.heard(state.type);
          onState(state);
        },
        onGap() {
          for (const listener of gapListeners) listener();
        },
      });
    },
    pageFor: (me, services) =>
      link && {
        ...services,
        me,
        link,
        onGap(listener) {
          gapListeners.add(listener);
          return () => void gapListeners.delete(listener);
        },
        lostAt: () => watch.lostAt(),
        onLink: (listener) => watch.onChange(listener),
      },
  };
}
