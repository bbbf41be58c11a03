/** Which route answers a path. Exact paths first, then patterns in the order of the list. */
import type { HttpRoute } from "./http-route.ts";

export type FoundRoute =
  | { type: "found"; route: HttpRoute; parameters: Record<string, string> }
  /** There is something, but not for this method. */
  | { type: "other-method"; allowed: string[] }
  | { type: "none" };

export interface RouteTable {
  find(method: string, path: string): FoundRoute;
}

/** Throws for two routes of the same method and path: one of them would never be asked. */
export function createRouteTable(routes: readonly HttpRoute[]): RouteTable {
  const compiled = routes.map((route) => ({ route, pattern: patternOf(route.path) }));
  const seen = new Set<string>();
  for (const { method, path } of routes) {
    const name = `${method} ${path}`;
    if (seen.has(name)) throw new Error(`two routes for ${name}`);
    seen.add(name);
  }
  const inOrder = compiled.toSorted((a, b) => Number(isExact(b.route)) - Number(isExact(a.route)));

  return {
    find(method, path) {
      const wanted = method === "HEAD" ? "GET" : method;
      const others = new Set<string>();
      for (const { route, pattern } of inOrder) {
        const match = pattern.exec(path);
        if (!match) continue;
        if (route.method !== wanted) {
          others.add(route.method);
          continue;
        }
        const parameters = readParameters(match.groups ?? {});
        if (parameters) return { type: "found", route, parameters };
      }
      return others.size > 0 ? { type: "other-method", allowed: [...others].sort() } : { type: "none" };
    },
  };
}

const isExact = ({ path }: HttpRoute): boolean => !/[:*]/.test(path);

function patternOf(path: string): RegExp {
  const escaped = path.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const source = escaped
    .replace(/:([a-zA-Z]+)/g, (_all, name: string) => `(?<${name}>[^/]+)`)
    .replace(/\\\*$/, "(?<rest>.*)");
  return new RegExp(`^${source}$`);
}

/** Undefined where something is not encoded as it should be. */
function readParameters(groups: Record<string, string>): Record<string, string> | undefined {
  try {
    return Object.fromEntries(
      Object.entries(groups).map(([name, value]) => [
        name === "rest" ? "*" : name,
        decodeURIComponent(value),
      ]),
    );
  } catch {
    return undefined;
  }
}
