/** The page that people open in a browser. It is made when the product is built; what it shows it asks the gateway for, once somebody is signed in. */
import type { HttpCall, HttpReply, HttpRoute } from "../http/http-route.ts";
import { createStaticFiles, type StaticFile } from "./static-files.ts";

export interface PageParts {
  /** What the build made of `web/`. */
  directory: string;
}

export function pageRoutes({ directory }: PageParts): HttpRoute[] {
  const serve = createStaticFiles({ directory, missing: "The page is not there. `npm run build` makes it." });
  const route = (path: string, fileOf: (parameters: Record<string, string>) => StaticFile): HttpRoute => ({
    method: "GET",
    path,
    access: { type: "open", isFile: true },
    handle: (call: HttpCall, reply: HttpReply) => serve(call, reply, fileOf(call.parameters)),
  });
  return [
    route("/", () => ({ path: "index.html" })),
    route("/favicon.svg", () => ({ path: "favicon.svg" })),
    route("/assets/:name", ({ name = "" }) => ({ path: `assets/${name}`, isImmutable: true })),
  ];
}
