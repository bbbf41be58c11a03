/** The results on DuckDuckGo's page for browsers without scripts. Runs on the page thread. */
import { parseHTML } from "linkedom/worker";

export interface FoundPage {
  title: string;
  url: string;
  snippet: string;
}

/** Throws if the page shows a captcha. */
export function readDuckDuckGoPage(html: string): FoundPage[] {
  const { document } = parseHTML(html) as unknown as { document: ResultPage };
  if (document.querySelector(".anomaly-modal__title, #challenge-form"))
    throw new Error("it wants to know whether a person asks");
  const found: FoundPage[] = [];
  for (const result of document.querySelectorAll(".result:not(.result--ad)")) {
    const link = result.querySelector(".result__a");
    const url = targetOf(link?.getAttribute("href") ?? "");
    const snippet = result.querySelector(".result__snippet")?.textContent ?? "";
    if (link && url !== undefined) found.push({ title: link.textContent ?? "", url, snippet });
  }
  return found;
}

interface ResultPage {
  querySelector(selector: string): ResultElement | null;
  querySelectorAll(selector: string): Iterable<ResultElement>;
}
interface ResultElement extends ResultPage {
  textContent: string | null;
  getAttribute(name: string): string | null;
}

/** Links go through a counting page; the target is one of its parameters. */
function targetOf(href: string): string | undefined {
  const url = URL.parse(href, "https://duckduckgo.com/");
  if (!url) return undefined;
  const isCounted = url.hostname.endsWith("duckduckgo.com") && url.pathname === "/l/";
  return isCounted ? (url.searchParams.get("uddg") ?? undefined) : url.href;
}
