/** The ways in that are no chat: a terminal, a page or a program sends whole requests and waits for each. */
const terminals: ReadonlySet<string> = new Set([
  "cli",
  "repl",
  "tui",
  "http",
  "web",
  "chat",
  "websocket",
  "local",
  "system",
]);

/** The ways in whose messages are stored together with their turn: whoever asked waits for it. */
const asked: ReadonlySet<string> = new Set(["cli", "http", "web", "chat"]);

/** Nothing of these is ever the router's. */
export const isAsked = (channel: string): boolean => asked.has(channel);

/** No burst is gathered on these, and no session on them ends by itself. */
export const isTerminal = (channel: string): boolean => terminals.has(channel);
