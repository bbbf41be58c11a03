/**
 * The documentation that ships with the product, as pages. It is public text from the build; it contains nothing of a
 * home.
 */
import { HttpFailure, type HttpCall, type HttpReply, type HttpRoute } from "../http/http-route.ts";
import { createStaticFiles } from "../page/static-files.ts";

export interface DocsParts {
  /** What the build made of `docs/`. */
  directory: string;
}

/** What the build made for addresses at which there is nothing. */
const notFoundPage = "not-found.html";

export function docsRoutes({ directory }: DocsParts): HttpRoute[] {
  const serve = createStaticFiles({
    directory,
    missing: "There is no such page. The documentation begins at /docs; `npm run build` makes it.",
  });

  /** Somebody who looks is shown a page that leads on; a program that asks for JSON is told in JSON. */
  async function servePage(call: HttpCall, reply: HttpReply, path: string): Promise<void> {
    try {
      if (path !== notFoundPage) return await serve(call, reply, { path });
    } catch (error) {
      if (!(error instanceof HttpFailure) || wantsJson(call)) throw error;
    }
    await serve(call, reply, { path: notFoundPage, status: 404 });
  }

  const route = (path: string, fileOf: (rest: string) => string): HttpRoute => ({
    method: "GET",
    path,
    access: { type: "open", isFile: true },
    handle: (call: HttpCall, reply: HttpReply) => servePage(call, reply, fileOf(call.parameters["*"] ?? "")),
  });
  return [route("/docs", () => "index.html"), route("/docs/*", fileFor)];
}

const wantsJson = ({ headers: { accept = "" } }: HttpCall): boolean =>
  /\bapplication\/(?:[\w.-]+\+)?json\b/.test(accept) && !accept.includes("text/html");

/** Pages are asked for without an ending, everything else by its whole name. A page is found by its path in the repository as well. */
function fileFor(rest: string): string {
  const path = rest
    .replace(/\/$/, "")
    .replace(/^guides\//, "")
    .replace(/\.md$/, "");
  if (path === "") return "index.html";
  return /^(assets|images)\//.test(path) ? path : `${path}.html`;
}
