/** The channels that are not chats: a terminal, a page or a program sends whole requests and waits for each. */
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

/** The channels of callers who wait for the answer. */
const asked: ReadonlySet<string> = new Set(["cli", "http", "web", "chat"]);

/** Whether the answer is read by the caller, and sent nowhere. */
export const isAsked = (channel: string): boolean => asked.has(channel);

/** No burst is gathered on these, and no session on them ends by itself. */
export const isTerminal = (channel: string): boolean => terminals.has(channel);
