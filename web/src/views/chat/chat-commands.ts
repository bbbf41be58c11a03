/** The commands of a conversation: what runs them, and the cards that they leave in this browser. */
import type { PastedRange } from "@pincer/sdk";
import type { Page } from "../../shell/page.ts";
import { makeKey } from "./make-key.ts";
import type { LocalNote } from "./row.ts";
import type { Talk } from "./talk.ts";

export interface ChatCommandParts {
  page(): Page;
  talk(): Talk | undefined;
  /** What opens over the conversation. */
  showUndo(): void;
  showModels(): void;
  /** Something of the session may be another now. */
  ran(): void;
  onChange(): void;
}

export interface ChatCommands {
  /** Says it, unless the page has something better for it than words. */
  run(line: string, pasted?: readonly PastedRange[]): void;
  /** What was said was a command, and this is its answer. */
  answered(line: string, output: string): Promise<void>;
  notes(): readonly LocalNote[];
  /** For another conversation. */
  clear(): void;
}

export function createChatCommands(parts: ChatCommandParts): ChatCommands {
  let notes: readonly LocalNote[] = [];

  function note(talk: Talk, card: Pick<LocalNote, "input" | "output" | "isOk">): void {
    const { sessionId, entries } = talk.conversation();
    const after = entries.at(-1)?.seq ?? 0;
    notes = [...notes, { ...card, id: makeKey(), sessionId, after, time: new Date().toISOString() }];
    parts.onChange();
  }

  /** Whether another session has taken the place of this one: what it begins with says so already. */
  async function hasBegunAnew(talk: Talk): Promise<boolean> {
    const before = talk.conversation().sessionId;
    await talk.refresh();
    const { sessionId, sessionKey, isEnded } = talk.conversation();
    if (!isEnded) return before !== null && sessionId !== before;
    // The address names the one that has ended.
    parts.page().go(`/chat/${encodeURIComponent(sessionKey)}`);
    return true;
  }

  return {
    notes: () => notes,
    clear: () => void (notes = []),
    run(line, pasted = []) {
      const name = nameOf(line);
      if (name === "undo") parts.showUndo();
      else if (name === "model" || name === "models") parts.showModels();
      else if (name === "stop") void parts.talk()?.stop();
      else parts.talk()?.say({ text: line, pasted, files: [] });
    },
    async answered(line, output) {
      const talk = parts.talk();
      if (!talk) return;
      const isTold = (await hasBegunAnew(talk)) && /^(?:new|reset)\b/.test(nameOf(line));
      if (output !== "" && !isTold) note(talk, { input: line, output, isOk: true });
      parts.ran();
    },
  };
}

const nameOf = (line: string): string => line.trim().slice(1).toLowerCase();
