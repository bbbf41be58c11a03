/** What the answers of chat completions and responses have in common. */
import type { ToolCallBlock, Usage } from "@pincer/sdk";

export const secondsOf = (time: string): number => Math.floor(Date.parse(time) / 1000);

/** As the model wrote them, also where that was no JSON object: the caller decides what to do about it. */
export const callArguments = ({ arguments: given, invalidArguments }: ToolCallBlock): string =>
  invalidArguments ?? JSON.stringify(given);

/** OpenAI counts what was read from a cache, or written to one, as part of what went in. */
export function tokensOf({ input, output, cacheRead, cacheWrite }: Usage): {
  input: number;
  cached: number;
  output: number;
  total: number;
} {
  const all = input + cacheRead + cacheWrite;
  return { input: all, cached: cacheRead, output, total: all + output };
}
