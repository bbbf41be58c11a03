/**
 * Every method, asked by every role, by every way in, with every reach, against a table that people read: testing/method-matrix.txt.
 * `vitest run <this file> -u` writes that table anew; what changed in it is what changed in who may do what.
 */
import { methods, type Frame, type FrameError, type MethodName } from "@pincer/sdk";
import { createHandClock } from "@pincer/sdk/testing";
import * as fc from "fast-check";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { waysIn, type CallerScope, type WayIn } from "../policy/caller.ts";
import { isWithinScope, permissionOf } from "../policy/method-access.ts";
import { holds, roles, type Role } from "../policy/permission-points.ts";
import { createEventBus } from "./event-bus.ts";
import type { AdmittedCall, HttpCall, HttpReply, HttpRoute } from "./http/http-route.ts";
import { allRoutes } from "./http/testing/all-routes.ts";
import type { MethodHandlers } from "./method-calls.ts";
import { createRpc } from "./rpc.ts";
import { callerAs, startTestServer, tokenOf } from "./testing/test-server.ts";

type Outcome = "let" | "role" | "scope" | "other";

/** One row of the table. */
interface Row {
  /** Who may ask it. */
  roles: string[];
  /** all: with the whole tenant alone. agent: also confined to an agent, when it is theirs that is named. any: whatever is named. */
  reach: "all" | "agent" | "any";
}

const file = new URL("testing/method-matrix.txt", import.meta.url);
const names = (Object.keys(methods) as MethodName[]).filter((name) => name !== "connect");
const lookups = {
  agentOfSession: async (key: string) => key.split(":")[0],
  agentOfRun: async (runId: string) => runId.split(":")[0],
};
const reaches: Record<string, CallerScope> = {
  all: { type: "tenant" },
  space: { type: "workspace", workspaceIds: ["w"] },
  agent: { type: "agent", agentIds: ["mine"] },
  another: { type: "agent", agentIds: ["theirs"] },
};

interface Shape {
  type?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Shape[];
  pattern?: string;
  minimum?: number;
  required?: string[];
  properties?: Record<string, Shape>;
}

/** Parameters that fit, and name the agent `mine` wherever something can be named. */
function sample(name: MethodName): Record<string, unknown> {
  const shape = methods[name].params as Shape;
  const naming = Object.entries({
    agentId: "mine",
    sessionKey: "mine:x",
    runId: "mine:1",
  }).filter(([key]) => shape.properties && Object.hasOwn(shape.properties, key));
  return { ...(valueOf(shape) as object), ...Object.fromEntries(naming) };
}

function valueOf(shape: Shape): unknown {
  if (shape.const !== undefined) return shape.const;
  if (shape.enum) return shape.enum[0];
  if (shape.anyOf?.[0]) return valueOf(shape.anyOf[0]);
  switch (shape.type) {
    case "string":
      return shape.pattern === undefined
        ? "x"
        : fc.sample(fc.stringMatching(new RegExp(shape.pattern)), { numRuns: 1, seed: 1 })[0];
    case "integer":
    case "number":
      return shape.minimum ?? 1;
    case "boolean":
      return true;
    case "array":
      return [];
    default:
      return Object.fromEntries(
        (shape.required ?? []).map((key) => [key, valueOf(shape.properties?.[key] ?? {})]),
      );
  }
}

const samples = new Map(names.map((name) => [name, sample(name)]));

/** Somebody's connection to a gateway that handles every method. */
async function outcomesOf(role: Role, way: WayIn, scope: CallerScope): Promise<Map<string, Outcome>> {
  const frames: Frame[] = [];
  const called = new Set<string>();
  const handlers = Object.fromEntries(names.map((name) => [name, async () => void called.add(name)]));
  const rpc = createRpc({
    methods: handlers as unknown as MethodHandlers,
    about: { version: "0", pid: 1, startedAt: "2026-01-01T12:00:00.000Z", language: () => "en" },
    hide: (payload) => payload,
    lookups,
    bus: createEventBus({ clock: createHandClock() }),
    clock: createHandClock(),
    log: { warn: () => {}, error: () => {} },
  });
  const connection = rpc.open((frame) => void frames.push(frame), { caller: callerAs(role, way, scope) });
  const ask = (method: string, params: object) =>
    connection.receive(JSON.stringify({ type: "req", id: method, method, params }));
  ask("connect", { protocol: 1, client: { name: "test", version: "0" } });
  for (const [name, params] of samples) ask(name, params);
  await connection.drain();
  return new Map(
    names.map((name) => {
      const frame = frames.find((each) => each.type === "res" && each.id === name);
      const outcome = frame?.type === "res" && !frame.ok ? outcomeOf(frame.error) : "let";
      // Those of the connection itself are nobody's to handle.
      const isDone = name.startsWith("events.")
        ? frame !== undefined
        : called.has(name) === (outcome === "let");
      return [name, isDone ? outcome : "other"];
    }),
  );
}

const outcomeOf = ({ code, reason }: FrameError): Outcome => {
  if (code === "FORBIDDEN" && reason === "permission/missing") return "role";
  return code === "TENANT_SCOPE_MISMATCH" ? "scope" : "other";
};

function expected(row: Row, role: Role, reach: string): Outcome {
  if (!row.roles.includes(role)) return "role";
  if (reach === "agent" && row.reach === "all") return "scope";
  return reach === "another" && row.reach !== "any" ? "scope" : "let";
}

/** As the code has it now: one line for each method. */
async function makeTable(): Promise<string> {
  const isWithin = (name: MethodName, reach: string) =>
    isWithinScope({ scope: reaches[reach] ?? { type: "tenant" } }, name, sample(name), lookups);
  const rows = await Promise.all(
    names.toSorted().map(async (name) => {
      const reach = (await isWithin(name, "another"))
        ? "any"
        : (await isWithin(name, "agent"))
          ? "agent"
          : "all";
      return `${name}: ${roles.filter((role) => holds(role, permissionOf(name))).join(" ")}; ${reach}\n`;
    }),
  );
  return rows.join("");
}

const readTable = (): Map<string, Row> =>
  new Map(
    readFileSync(file, "utf8")
      .trim()
      .split("\n")
      .map((line) => {
        const [, name = "", given = "", reach = ""] = /^(\S+): ([a-z ]*); (\w+)$/.exec(line) ?? [];
        return [name, { roles: given.split(" "), reach: reach as Row["reach"] }];
      }),
  );

describe("who may ask what", () => {
  it("GW-10 is what people have read and agreed to", async () => {
    await expect(await makeTable()).toMatchFileSnapshot(file.pathname);
  });

  it("GW-10 names every method that there is, and the owner may ask for all of them", () => {
    const table = readTable();
    expect([...table.keys()].sort()).toEqual(names.toSorted());
    expect([...table].filter(([, row]) => !row.roles.includes("owner"))).toEqual([]);
  });

  it("GW-10 TEN-02 holds for every method, role, way in and reach", async () => {
    const table = readTable();
    let cells = 0;
    const wrong: string[] = [];
    for (const role of roles) {
      for (const way of waysIn) {
        for (const [reach, scope] of Object.entries(reaches)) {
          for (const [name, outcome] of await outcomesOf(role, way, scope)) {
            cells++;
            const row = table.get(name);
            const right = row ? expected(row, role, reach) : "other";
            if (outcome !== right)
              wrong.push(`${name} as ${role} by ${way} with ${reach}: ${outcome}, not ${right}`);
          }
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(cells).toBeGreaterThanOrEqual(5000);
  }, 60_000);
});

describe("who may call which route", () => {
  const routesFile = new URL("testing/route-matrix.txt", import.meta.url);
  const describeRoute = ({ method, path, access }: HttpRoute): string => {
    const who =
      access.type === "permission"
        ? roles.filter((role) => holds(role, access.point)).join(" ")
        : access.type;
    return `${method} ${path}: ${who}\n`;
  };

  it("TEN-02 is what people have read and agreed to", async () => {
    const table = allRoutes().map(describeRoute).sort().join("");
    await expect(table).toMatchFileSnapshot(routesFile.pathname);
  });

  it("TEN-02 holds for every route, role and way in", async () => {
    const called: string[] = [];
    // The routes as they are, with nothing behind them.
    const routes = allRoutes().map((route) => ({
      ...route,
      async handle(call: HttpCall | AdmittedCall, reply: HttpReply) {
        called.push("caller" in call ? call.caller.role : "nobody");
        reply.json(200, {});
      },
    })) as HttpRoute[];
    const server = await startTestServer({ routes });
    const rows = readFileSync(routesFile, "utf8").trim().split("\n");
    const wrong: string[] = [];
    let cells = 0;
    for (const row of rows) {
      const [, method = "", path = "", who = ""] = /^(\w+) (\S+): (.*)$/.exec(row) ?? [];
      const isOpen = who === "open" || who === "own";
      const check = async (what: string, headers: Record<string, string>, right: number) => {
        cells++;
        const { status } = await server.ask(path.replaceAll(/:\w+|\*/g, "x"), { method, headers });
        if (status !== right) wrong.push(`${method} ${path} ${what}: ${status}, not ${right}`);
      };
      const cookie = { cookie: "pincer_session=session" };
      await check("with nothing", {}, isOpen ? 200 : 401);
      await check("with a wrong token", { authorization: "Bearer x" }, isOpen ? 200 : 401);
      await check("with a wrong cookie", { cookie: "pincer_session=x" }, isOpen ? 200 : 401);
      await check("with the owner's cookie", cookie, 200);
      await check("sent by another place's page", { ...cookie, origin: "http://evil.example" }, 403);
      await check("sent by a page of another port", { ...cookie, "sec-fetch-site": "same-site" }, 403);
      await check("to a name that is not ours", { ...cookie, host: "evil.example" }, 403);
      for (const role of roles) {
        const isLet = isOpen || who.split(" ").includes(role);
        await check(`as ${role}`, { authorization: `Bearer ${tokenOf(role)}` }, isLet ? 200 : 403);
      }
    }
    expect(wrong).toEqual([]);
    expect(cells).toBe(allRoutes().length * (7 + roles.length));
    expect(called.length).toBeGreaterThan(0);
  }, 60_000);
});
