/** Notes during a turn: requested once between two summaries, before messages leave the view. */
import { toolFailure, type AssistantMessage, type ToolCallBlock, type ToolResult } from "@pincer/sdk";
import type { ModelAsk } from "./ask-model.ts";
import { isFlushDue, type Thresholds } from "./compaction/compaction-settings.ts";
import { flushMemory } from "./compaction/memory-flush.ts";
import type { Mark } from "./context/session-view.ts";
import { estimateTokens } from "./context/estimate-tokens.ts";
import type { ContextJournal, ContextSetup } from "./context-setup.ts";
import type { TurnTools } from "./settle-calls.ts";
import type { TurnEvent } from "./turn-voice.ts";

interface NoteParts {
  journal: Pick<ContextJournal, "note">;
  tools: TurnTools;
  flush: ContextSetup["flush"];
  onEvent(event: TurnEvent): void;
  /** Heard by nobody. */
  ask(ask: ModelAsk, signal: AbortSignal): Promise<AssistantMessage>;
}

interface NoteState {
  used: number;
  thresholds: Thresholds;
  mark: Mark | undefined;
  /** The request of the turn, with this many tokens left free. */
  request(spare: number): ModelAsk;
  signal: AbortSignal;
}

export interface NoteTaking {
  /** That notes could not be taken is no failure of the turn. Throws what the journal throws. */
  ifDue(state: NoteState): Promise<void>;
}

export function createNoteTaking({ journal, tools, flush, onEvent, ask }: NoteParts): NoteTaking {
  const { enabled, prompt, systemPrompt } = flush;
  const hasTool = tools.descriptions.some(({ name }) => name === noteTool);
  const promptTokens = estimateTokens(`${systemPrompt ?? ""}${prompt ?? ""}`) + shortPromptTokens;
  let flushedAt = flush.lastAt;
  let hasFailed = false;

  return {
    async ifDue({ used, thresholds, mark, request, signal }) {
      // A handoff begins a new cycle, too: what was noted before it lies behind it.
      const lastCompactionAt = mark?.time ?? null;
      const isDue = isFlushDue({ used, thresholds, memoryFlushAt: flushedAt, lastCompactionAt, enabled });
      if (!isDue || hasFailed || !hasTool || signal.aborted) return;
      if (!(await flush.isWritable())) return;
      onEvent({ type: "context", doing: "taking-notes" });
      let hasAnswered = false;
      let hasNoted = false;
      const remember = async (wrote: boolean) => {
        hasNoted = true;
        flushedAt = (await journal.note({ type: "event", name: "memory-flushed", data: { wrote } })).time;
      };
      const asked = request(promptTokens);
      await flushMemory({
        messages: asked.messages,
        prompt,
        systemPrompt,
        today: flush.today(),
        signal,
        async ask(messages) {
          const answer = await ask({ ...asked, messages }, signal);
          if (answer.stopReason !== "error" && answer.stopReason !== "aborted") hasAnswered = true;
          return answer;
        },
        async run(call) {
          const result = await runNote(tools, call, signal);
          // At once: whatever comes next, the same is not noted again in other words.
          if (result.ok && !hasNoted) await remember(true);
          return result;
        },
      });
      // Not again within this turn: the model has the turn itself to fail at.
      hasFailed = !hasAnswered;
      if (hasAnswered && !hasNoted && !signal.aborted) await remember(false);
    },
  };
}

/** Nobody is asked about a note, and none of them ends the turn: what may not simply run is not noted. */
async function runNote(tools: TurnTools, call: ToolCallBlock, signal: AbortSignal): Promise<ToolResult> {
  const admission = await tools.admit(call, signal, "nobody");
  if (admission.type === "run") return admission.run(signal);
  if (admission.type === "refused") return admission.result;
  return toolFailure("execution_error", "not run: notes are taken only where nobody has to be asked");
}

/** The tool that notes are taken with. */
export const noteTool = "memory_append";

/** What is asked where the config says nothing about it, and what any message takes. */
const shortPromptTokens = 40;
