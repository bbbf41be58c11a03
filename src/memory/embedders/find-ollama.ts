import { createJsonAsker } from "./ask-json.ts";
import { dialects } from "./dialects.ts";

/** On this machine it answers at once or not at all. */
const timeoutMs = 1_000;

/** The models of an Ollama server; undefined if none answers. Sends no data. */
export async function findOllama(
  signal: AbortSignal,
  baseUrl: string = dialects.ollama.baseUrl,
): Promise<{ baseUrl: string; models: string[] } | undefined> {
  const asker = createJsonAsker({ maxBytes: 4 * 1024 * 1024 });
  try {
    const { status, body } = await asker.ask({ url: `${baseUrl}/api/tags`, headers: {}, timeoutMs, signal });
    const { models } = JSON.parse(body) as { models?: unknown };
    if (status !== 200 || !Array.isArray(models)) return undefined;
    const names = models.map((model) => (model as { name?: unknown } | null)?.name);
    return { baseUrl, models: names.filter((name) => typeof name === "string") };
  } catch {
    // No server, or another one.
    return undefined;
  } finally {
    asker.close();
  }
}
