/**
 * Runs one tool call and always returns a result. Unknown tool, bad arguments and a throw each have their code, so
 * that model, people and programs see the same thing.
 */
import {
  PincerError,
  toolFailure,
  type Tool,
  type ToolCallContext,
  type ToolErrorCode,
  type ToolResult,
} from "@pincer/sdk";
import type { Validator } from "typebox/compile";
import type { Clock } from "../infra/clock.ts";
import type { ToolSet } from "./tool-set.ts";

export interface ToolRequest {
  name: string;
  arguments: unknown;
}

export interface ToolExecutor {
  /**
   * Never throws. Checks arguments against the tool's schema and fills in defaults. `before` runs last, with valid
   * arguments: if it returns a text or throws, the call does not run.
   */
  execute(request: ToolRequest, context: ToolCallContext, before?: BeforeRun): Promise<ToolResult>;
  /** The tool and its final arguments, or the result that says what is wrong with the call. Never throws. */
  prepare(request: ToolRequest): Promise<PreparedCall>;
}

export type PreparedCall = { tool: Tool; input: unknown } | { failed: ToolResult };

export type BeforeRun = (tool: Tool, input: unknown) => Promise<string | undefined>;

export function createToolExecutor({ tools, clock }: { tools: ToolSet; clock: Clock }): ToolExecutor {
  const validators = new Map<Tool, Validator>();

  async function prepare(request: ToolRequest): Promise<PreparedCall> {
    const tool = tools.find(request.name);
    if (!tool) return { failed: toolFailure("tool_not_found", notFound(request.name, tools)) };
    const validator = validators.get(tool) ?? (await compile(tool));
    validators.set(tool, validator);
    const input = validator.Default(structuredClone(request.arguments ?? {}));
    const problem = unfit(validator, input);
    return problem ? { failed: toolFailure("invalid_args", `${tool.name}: ${problem}`) } : { tool, input };
  }

  return {
    prepare,
    async execute(request, context, before) {
      const startedAt = clock.monotonic();
      const fail = (code: ToolErrorCode, message: string) =>
        toolFailure(code, message, clock.monotonic() - startedAt);
      const prepared = await prepare(request);
      if ("failed" in prepared) return prepared.failed;
      const { tool, input } = prepared;
      try {
        context.signal.throwIfAborted();
        const refusal = await before?.(tool, input);
        if (refusal !== undefined) return fail("execution_error", refusal);
        context.signal.throwIfAborted();
        const output = await tool.run(input, context);
        return {
          ok: true,
          content: [{ type: "text", text: output.text }, ...(output.images ?? [])],
          ...(output.details === undefined ? {} : { data: output.details }),
          ...(output.forUser === undefined ? {} : { forUser: output.forUser }),
          ...(output.silent === undefined ? {} : { silent: output.silent }),
          ...(output.async === undefined ? {} : { async: output.async }),
          ...(output.from === undefined ? {} : { from: output.from }),
          origin: output.origin ?? tool.resultOrigin,
          ...(output.label === undefined ? {} : { label: output.label }),
          usage: { durationMs: clock.monotonic() - startedAt },
        };
      } catch (error) {
        const isUnfit = error instanceof PincerError && error.code === "tool/invalid-args";
        const code = isUnfit ? "invalid_args" : "execution_error";
        const failed = fail(code, error instanceof Error ? error.message : String(error));
        // What went wrong may be told in words of the other end.
        return { ...failed, origin: tool.resultOrigin };
      }
    },
  };
}

/** The schema compiler is large, so it is loaded with the first tool call. */
const compile = async (tool: Tool): Promise<Validator> =>
  (await import("typebox/compile")).Compile(tool.input);

/** What is wrong with the arguments, in one line; undefined if they fit. Unknown names are wrong too. */
function unfit(validator: Validator, input: unknown): string | undefined {
  if (typeof input !== "object" || input === null || Array.isArray(input))
    return "arguments must be a JSON object";
  const known = Object.keys((validator.Type() as { properties?: object }).properties ?? {});
  const unknown = Object.keys(input).filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    return `unknown argument ${unknown.join(", ")}; it takes ${known.join(", ") || "none"}`;
  }
  if (validator.Check(input)) return undefined;
  return validator
    .Errors(input)
    .map((error) => `${error.instancePath.slice(1).replaceAll("/", ".") || "arguments"} ${error.message}`)
    .join("; ");
}

const notFound = (name: string, tools: ToolSet) =>
  `there is no tool ${name}; there are ${tools
    .all()
    .map((tool) => tool.name)
    .join(", ")}`;
