/** The documentation that ships with the product, as pages. It is public text, made when the product is built; nothing of a home is in it. */
import type { HttpCall, HttpReply, HttpRoute } from "../http/http-route.ts";
import { createStaticFiles } from "../page/static-files.ts";

export interface DocsParts {
  /** What the build made of `docs/`. */
  directory: string;
}

export function docsRoutes({ directory }: DocsParts): HttpRoute[] {
  const serve = createStaticFiles({
    directory,
    missing: "There is no such page. The documentation begins at /docs; `npm run build` makes it.",
  });
  const route = (path: string, fileOf: (rest: string) => string): HttpRoute => ({
    method: "GET",
    path,
    access: { type: "open", isFile: true },
    handle: (call: HttpCall, reply: HttpReply) =>
      serve(call, reply, { path: fileOf(call.parameters["*"] ?? "") }),
  });
  return [route("/docs", () => "index.html"), route("/docs/*", fileFor)];
}

/** Pages are asked for without an ending, everything else by its whole name. A page is found by its path in the repository as well. */
function fileFor(rest: string): string {
  const path = rest
    .replace(/\/$/, "")
    .replace(/^guides\//, "")
    .replace(/\.md$/, "");
  if (path === "") return "index.html";
  return /^(assets|images)\//.test(path) ? path : `${path}.html`;
}
