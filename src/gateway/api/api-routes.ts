/**
 * `/api`: the gateway's methods over plain HTTP, for clients without a persistent connection. Nothing is decided here: permissions, scopes, schemas
 * and idempotency keys are those of the methods themselves, and so are the answers.
 */
import { methods as methodTable, type MethodName } from "@pincer/sdk";
import { permissionOf } from "../../policy/method-access.ts";
import { HttpFailure, type AdmittedCall, type HttpReply, type HttpRoute } from "../http/http-route.ts";
import type { ExportParts } from "./export-session.ts";
import { paramsFromQuery } from "./params-from-query.ts";

export interface ApiParts extends ExportParts {
  version: string;
}

/** What can be read under a name of its own; what stands behind the question mark are the parameters. */
const readable: Record<string, MethodName> = {
  "/api/health": "health.get",
  "/api/status": "status.get",
  "/api/config": "config.get",
  "/api/audit": "audit.query",
  "/api/usage": "usage.report",
  "/api/sessions": "sessions.list",
};

/** What a method would be asked with where somebody leaves it out. */
const usual: Partial<Record<MethodName, Record<string, unknown>>> = { "usage.report": { by: "model" } };

/** These live on a connection that stays. */
const needsConnection: ReadonlySet<string> = new Set(["nodes.register", "nodes.result"]);

export function apiRoutes(parts: ApiParts): HttpRoute[] {
  const { callMethod, version } = parts;
  return [
    {
      method: "POST",
      path: "/api/rpc/:method",
      // Everybody whom a door lets in as more than a device has it; what each method needs, it asks for itself.
      access: { type: "permission", point: "state.view" },
      async handle(call: AdmittedCall, reply: HttpReply) {
        const { caller, signal, parameters } = call;
        const method = parameters["method"] ?? "";
        const params = await paramsOf(call, method);
        reply.json(200, await callMethod(caller, method, params, signal));
      },
    },
    ...Object.entries(readable).map(([path, method]): HttpRoute => ({
      method: "GET",
      path,
      access: { type: "permission", point: pointOf(method) },
      async handle({ caller, query, signal }: AdmittedCall, reply: HttpReply) {
        const params = { ...usual[method], ...paramsFromQuery(method, query) };
        reply.json(200, await callMethod(caller, method, params, signal));
      },
    })),
    {
      method: "GET",
      path: "/api/sessions/:id/export",
      access: { type: "permission", point: pointOf("sessions.entries") },
      handle: async (call: AdmittedCall, reply: HttpReply) =>
        (await import("./export-session.ts")).exportSession(parts, call, reply),
    },
    {
      method: "GET",
      path: "/api/openapi.json",
      access: { type: "permission", point: "state.view" },
      async handle(_call: AdmittedCall, reply: HttpReply) {
        const { describeApi } = await import("./describe-api.ts");
        reply.json(200, describeApi({ version, readable }));
      },
    },
  ];
}

/** `{ "params": { … } }`, or nothing; a key of the header is the method's where it takes one. */
async function paramsOf(call: AdmittedCall, method: string): Promise<Record<string, unknown>> {
  if (needsConnection.has(method)) throw notHere(method);
  const body = await call.json();
  if (!isRecord(body) || Object.keys(body).some((name) => name !== "params")) {
    throw new HttpFailure(400, "INVALID_REQUEST", 'The body must be { "params": { … } }.');
  }
  const params = body["params"] ?? {};
  if (!isRecord(params)) throw new HttpFailure(400, "INVALID_REQUEST", "params must be an object.");
  // It would never end, and nobody would hear of it.
  if (params["follow"] === true) throw notHere(`${method} with follow`);
  const key = call.headers["idempotency-key"];
  if (typeof key !== "string" || "idempotencyKey" in params || !takesKey(method)) return params;
  return { ...params, idempotencyKey: key };
}

const takesKey = (method: string): boolean =>
  Object.hasOwn(methodTable, method) &&
  Object.hasOwn(methodTable[method as MethodName].params.properties, "idempotencyKey");

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const notHere = (what: string) =>
  new HttpFailure(400, "INVALID_REQUEST", `${what} needs a persistent connection.`, {
    hint: "Ask for it over the WebSocket.",
  });

function pointOf(method: MethodName) {
  const point = permissionOf(method);
  if (!point) throw new Error(`${method} has no permission`);
  return point;
}
