import type { MethodName, MethodParams, MethodResults } from "@pincer/sdk";
import type { Command } from "commander";
import { connectToGateway } from "../../gateway/connect-to-gateway.ts";
import { failure } from "../../infra/failure.ts";
import type { CommandContext } from "../command.ts";

/** For what only a running gateway knows. Throws `gateway/unreachable` where none runs. */
export async function askGateway<Name extends MethodName>(
  { program, context }: { program: Command; context: CommandContext },
  method: Name,
  params: MethodParams<Name>,
): Promise<MethodResults[Name]> {
  const client = await connectToGateway({ ...context, version: program.version() ?? "" });
  if (!client) throw failure("gateway/unreachable", "gateway.is-not-running");
  try {
    return await client.request(method, params, { signal: context.signal });
  } finally {
    client.close();
  }
}
