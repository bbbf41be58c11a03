import type { Terminal } from "./command.ts";

export interface ProgressLine {
  /** Shows how far it is, in place of what was shown before. */
  show(text: string): void;
  /** Takes the line away, so that what follows stands alone. Safe to call twice. */
  clear(): void;
}

/** One line on stderr that is overwritten; nothing without a terminal. */
export function createProgressLine({ err, errIsTerminal }: Terminal): ProgressLine {
  let shown = "";
  return {
    show(text) {
      if (!errIsTerminal || text === shown) return;
      err(`\r\u001b[K${text}`);
      shown = text;
    },
    clear() {
      if (shown) err("\r\u001b[K");
      shown = "";
    },
  };
}

export const percent = (done: number, total: number): string =>
  total > 0 ? `${Math.floor((done / total) * 100)}%` : "";
