/** Describes the API as OpenAPI 3.1, generated from the table of methods. */
import { methods as methodTable, type MethodName } from "@pincer/sdk";

export function describeApi({
  version,
  readable,
}: {
  version: string;
  /** Paths that are read with GET, and the method behind each. */
  readable: Readonly<Record<string, MethodName>>;
}): object {
  const names = (Object.keys(methodTable) as MethodName[]).filter((name) => !isOfConnection(name)).sort();
  return {
    openapi: "3.1.0",
    info: { title: "Pincer", version, description: "Management of a Pincer gateway over HTTP." },
    security: [{ token: [] }],
    paths: Object.fromEntries([
      ...names.map((name) => [`/api/rpc/${name}`, { post: postOf(name) }]),
      ...Object.entries(readable).map(([path, name]) => [path, { get: getOf(name) }]),
      ["/api/sessions/{id}/export", { get: exportOf }],
    ]) as object,
    components: {
      securitySchemes: { token: { type: "http", scheme: "bearer" } },
      schemas: { Failure: failureSchema },
    },
  };
}

const isOfConnection = (name: MethodName): boolean =>
  name === "connect" || name.startsWith("events.") || name === "nodes.register" || name === "nodes.result";

const answers = (description: string) => ({
  "200": { description, content: { "application/json": { schema: {} } } },
  default: {
    description: "What went wrong.",
    content: { "application/json": { schema: { $ref: "#/components/schemas/Failure" } } },
  },
});

function postOf(name: MethodName): object {
  const { params, effect } = methodTable[name];
  return {
    operationId: name,
    tags: [familyOf(name)],
    description: effect === "read" ? "Reads." : "Changes something; an Idempotency-Key makes it happen once.",
    requestBody: {
      required: true,
      content: {
        "application/json": {
          schema: { type: "object", properties: { params }, additionalProperties: false },
        },
      },
    },
    responses: answers(`What ${name} answers with.`),
  };
}

function getOf(name: MethodName): object {
  const { properties, required = [] } = methodTable[name].params as {
    properties: Record<string, object>;
    required?: string[];
  };
  return {
    operationId: `get ${name}`,
    tags: [familyOf(name)],
    parameters: Object.entries(properties).map(([parameter, schema]) => ({
      name: parameter,
      in: "query",
      required: required.includes(parameter) && name !== "usage.report",
      schema,
    })),
    responses: answers(`What ${name} answers with.`),
  };
}

const familyOf = (name: MethodName): string => name.slice(0, Math.max(0, name.indexOf(".")));

const exportOf = {
  operationId: "export session",
  tags: ["sessions"],
  parameters: [
    { name: "id", in: "path", required: true, schema: { type: "string" } },
    { name: "format", in: "query", required: false, schema: { enum: ["jsonl", "markdown"] } },
  ],
  responses: {
    ...answers("The entries of the session, one JSON document per line."),
    "200": {
      description: "The entries of the session.",
      content: { "application/x-ndjson": { schema: {} }, "text/markdown": { schema: {} } },
    },
  },
};

const failureSchema = {
  type: "object",
  required: ["error"],
  properties: {
    error: {
      type: "object",
      required: ["code", "message"],
      properties: { code: { type: "string" }, message: { type: "string" }, hint: { type: "string" } },
    },
  },
};
