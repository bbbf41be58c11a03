/** What the page thread is asked, and what it answers. */
import type { FoundPage } from "./duckduckgo-page.ts";
import type { PageSource, PageText } from "./read-page.ts";

export type PageJob =
  | ({ type: "page" } & PageSource)
  | { type: "duckduckgo"; bytes: Uint8Array; contentType: string };

export type PageAnswer =
  | { type: "page"; page: PageText }
  | { type: "found"; found: FoundPage[] }
  | { type: "failed"; message: string };
