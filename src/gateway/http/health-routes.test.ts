import { describe, expect, it } from "vitest";
import { createMeters } from "../../infra/meters.ts";
import { healthRoutes, type HealthRouteParts } from "./health-routes.ts";
import type { AdmittedCall, HttpReply, HttpRoute } from "./http-route.ts";

/** Calls a route as the server would; answers with what was replied. */
async function call(routes: HttpRoute[], path: string, address = "203.0.113.9") {
  const route = routes.find((each) => each.path === path);
  if (!route) throw new Error(`no route ${path}`);
  const replied: Array<{ status: number; body: unknown; headers: object }> = [];
  const answer = (status: number, body: unknown, headers: object = {}) =>
    void replied.push({ status, body, headers });
  // Neither bytes nor events are answered with here.
  const reply = { json: answer, text: answer } as HttpReply;
  await route.handle({ address } as AdmittedCall, reply);
  const [first] = replied;
  if (!first || replied.length > 1) throw new Error("it must be answered once");
  return { ...first, access: route.access };
}

const unasked = () => Promise.reject(new Error("nobody may look"));

function routesOf(more: Partial<HealthRouteParts> = {}) {
  return healthRoutes({ notReady: async () => [], metrics: unasked, isMetricsOpen: () => false, ...more });
}

describe("the routes for those who watch from outside", () => {
  it("PROTO-07 /healthz says that the process lives, to anybody, and looks at nothing for it", async () => {
    const answer = await call(routesOf({ notReady: unasked }), "/healthz");
    expect(answer).toMatchObject({ status: 200, body: { status: "ok" }, access: { type: "open" } });
  });

  it("PROTO-07 /readyz says 503 while no work should come, and why only to this machine", async () => {
    const routes = routesOf({ notReady: async () => ["database", "queue"] });
    expect(await call(routes, "/readyz")).toMatchObject({ status: 503, body: { status: "not-ready" } });
    expect((await call(routes, "/readyz")).body).not.toHaveProperty("reasons");
    expect((await call(routes, "/readyz", "127.0.0.1")).body).toEqual({
      status: "not-ready",
      reasons: ["database", "queue"],
    });
    expect(await call(routesOf(), "/readyz")).toMatchObject({ status: 200, body: { status: "ready" } });
  });

  it("OBS-01 /metrics needs the permission to see the state, unless the config opens it", async () => {
    const meters = createMeters();
    meters.counter({ name: "a_total", help: "A." }).add(2);
    const metrics = async () => meters.read();
    const closed = await call(routesOf({ metrics }), "/metrics");
    expect(closed.access).toEqual({ type: "permission", point: "state.view" });
    const open = await call(routesOf({ metrics, isMetricsOpen: () => true }), "/metrics");
    expect(open).toMatchObject({
      access: { type: "open" },
      status: 200,
      body: "# HELP a_total A.\n# TYPE a_total counter\na_total 2\n",
      headers: { "content-type": "text/plain; version=0.0.4; charset=utf-8", "cache-control": "no-store" },
    });
  });
});
