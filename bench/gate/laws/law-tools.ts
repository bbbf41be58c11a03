/**
 * The tools of the programs: what steers them, and what leaves with them. Besides those that act, programs call
 * `read {path}`, `exec {path}` (a program that prints the file), `write {path, content}`, `memory_append {text}`,
 * `mail_read {id}`, `web_search {query}`, `web_fetch {url}`, `recall {turn}` (all of an earlier turn of the session), and
 * `scout {}` (a child that reads the web with the present message alone). Whoever puts a gate behind the port maps them.
 */

export interface LawTool {
  /** Who hears of it. */
  recipient?: string;
  url?: string;
  /** Other arguments that steer. */
  values: readonly string[];
  /** What is said with it. */
  content: readonly string[];
}

/** Those that act on somebody or something outside. `ticket_open` is a plugin's that declares itself, `lamp_set` one that declares nothing. */
export const actingTools: Readonly<Record<string, LawTool>> = {
  message: { recipient: "to", values: [], content: ["text"] },
  mail_send: { recipient: "to", values: [], content: ["subject", "body"] },
  http_request: { url: "url", values: [], content: ["body"] },
  calendar_add: { recipient: "invite", values: ["when"], content: ["title"] },
  sessions_send: { recipient: "session", values: [], content: ["text"] },
  ticket_open: { values: ["queue"], content: ["text"] },
  lamp_set: { values: ["lamp", "state"], content: [] },
  /** The answer itself, where others read it. */
  answer: { values: [], content: ["text"] },
};

/** An undeclared tool belongs to somebody: whoever it is hears every argument. */
export const heardBy = (tool: string): string => (tool === "ticket_open" ? "plugin" : "undeclared");

export const ownerPlaces: readonly string[] = ["pigeon:42"];
export const familyPlace = "pigeon:-100";
