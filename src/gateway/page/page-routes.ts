/**
 * The page in the browser. It is built with the product; it gets its data from the gateway, once somebody is signed
 * in.
 */
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
