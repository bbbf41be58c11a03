/**
 * The place of the view that the address names. What it shows always belongs to the address: the view, that it is being loaded, or that it
 * could not be loaded.
 */
import { loadAgain } from "./load-again.ts";
import type { Page } from "./page.ts";
import { routeOf, type Route } from "./routes.ts";
import type { View } from "./view.ts";

export interface ShownView {
  route: Route;
  state: { type: "shown"; view: View } | { type: "loading" } | { type: "failed" };
}

export interface ViewPlace {
  /** Undefined where there is nothing at the address. */
  shown(): ShownView | undefined;
  /** Shows what the address names. True where that is another view than before. Never throws. */
  show(): Promise<boolean>;
  /** The view is made anew at the next `show`. */
  clear(): void;
}

export interface ViewPlaceParts {
  /** As it is now; undefined while nobody is signed in. */
  page(): Page | undefined;
  /** The part of the address behind the #. */
  hash(): string;
  onChange(): void;
}

/** How long the last view stays while the next one is loaded. */
const patienceMs = 300;

export function createViewPlace({ page, hash, onChange }: ViewPlaceParts): ViewPlace {
  let shown: ShownView | undefined;

  function put(next: ShownView | undefined): void {
    shown = next;
    onChange();
  }

  return {
    shown: () => shown,
    clear: () => void (shown = undefined),
    async show() {
      const found = routeOf(hash());
      if (!page() || !found) {
        put(undefined);
        return false;
      }
      const { route, rest } = found;
      const isWanted = () => {
        const now = routeOf(hash());
        return now?.route === route && now.rest === rest;
      };
      const isLong = setTimeout(() => {
        if (isWanted() && shown?.route !== route) put({ route, state: { type: "loading" } });
      }, patienceMs);
      const isLoaded = await route.load().then(
        () => true,
        (error: unknown) => loadAgain(error, route.load),
      );
      clearTimeout(isLong);
      // May have changed: the connection was replaced meanwhile.
      const current = page();
      if (!isWanted() || !current) return false;
      if (!isLoaded) {
        put({ route, state: { type: "failed" } });
        return true;
      }
      const known = shown?.route === route && shown.state.type === "shown" ? shown.state.view : undefined;
      const view = known ?? (document.createElement(route.tag) as View);
      view.page = current;
      view.rest = rest;
      put({ route, state: { type: "shown", view } });
      return !known;
    },
  };
}
