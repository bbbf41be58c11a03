/**
 * Before messages are compacted, the model may write down what should last: a few silent requests of which only the
 * notes are kept. They begin with the messages of the turn, so that the provider finds them in its cache.
 */
import {
  textOf,
  toolFailure,
  type AssistantMessage,
  type Message,
  type ToolCallBlock,
  type ToolResult,
  type ToolResultMessage,
  type Usage,
} from "@pincer/sdk";

export interface MemoryFlush {
  /** What a request of the turn would show; well-formed. */
  messages: readonly Message[];
  /** `YYYY-MM-DD`; takes the place of those letters in the prompt. */
  today: string;
  prompt?: string | undefined;
  /** Said above the prompt: the system prompt itself stays as it is. */
  systemPrompt?: string | undefined;
  maxSteps?: number;
  signal: AbortSignal;
  /** With the system prompt and the tools of the turn. */
  ask(messages: Message[]): Promise<AssistantMessage>;
  /** Passes the gate, then runs; never throws. */
  run(call: ToolCallBlock): Promise<ToolResult>;
}

/** Never throws: failing to take notes does not fail the turn. The model's text is discarded. */
export async function flushMemory(flush: MemoryFlush): Promise<{ wrote: number; usage: Usage[] }> {
  const { signal, ask, run, maxSteps = mostSteps } = flush;
  const messages: Message[] = [
    ...flush.messages,
    { role: "user", content: [{ type: "text", text: promptOf(flush) }] },
  ];
  const usage: Usage[] = [];
  let wrote = 0;
  try {
    for (let step = 0; step < maxSteps && !signal.aborted; step++) {
      const answer = await ask([...messages]);
      usage.push(answer.usage);
      if (answer.stopReason === "error" || answer.stopReason === "aborted") break;
      const calls = answer.content.filter((block) => block.type === "toolCall");
      messages.push(answer);
      for (const call of calls) {
        const result = signal.aborted ? notRun("it was stopped") : await settle(call, run);
        if (result.ok) wrote++;
        messages.push(resultMessage(call, result));
      }
      if (calls.length === 0 || textOf(answer).includes(silence)) break;
    }
  } catch {
    // The turn asks the same model next: what is wrong with it shows there, and the notes are tried again in the next cycle.
  }
  return { wrote, usage };
}

const mostSteps = 4;
const silence = "NO_REPLY";
const noteTools: ReadonlySet<string> = new Set(["memory_append", "memory.append"]);
const defaultPrompt = "Write durable notes to memory/YYYY-MM-DD.md and return NO_REPLY.";

const promptOf = ({ prompt = defaultPrompt, systemPrompt, today }: MemoryFlush): string =>
  [systemPrompt?.trim(), prompt].filter(Boolean).join("\n\n").replaceAll("YYYY-MM-DD", today);

const settle = async (call: ToolCallBlock, run: MemoryFlush["run"]): Promise<ToolResult> =>
  noteTools.has(call.name) ? run(call) : notRun("not available while notes are written");

const notRun = (reason: string) => toolFailure("execution_error", reason);

const resultMessage = (call: ToolCallBlock, result: ToolResult): ToolResultMessage => ({
  role: "toolResult",
  toolCallId: call.id,
  toolName: call.name,
  content: result.content,
  isError: !result.ok,
});
