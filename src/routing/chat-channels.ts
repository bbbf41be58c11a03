/** The ways in that are no chat: a terminal, a page or a program sends whole requests and waits for each. */
const terminals: ReadonlySet<string> = new Set([
  "cli",
  "repl",
  "tui",
  "http",
  "web",
  "websocket",
  "local",
  "system",
]);

/** No burst is gathered on these, and no session on them ends by itself. */
export const isTerminal = (channel: string): boolean => terminals.has(channel);
