/**
 * The tools of the programs: what steers them, and what leaves with them. Besides those that act, programs call
 * `read {path}`, `exec {path}` (a program that prints the file), `write {path, content}`, `memory_append {text}`,
 * `mail_read {id}`, `web_search {query}`, `web_fetch {url}`, `recall {back}` (what the session stored so many entries ago), and
 * `scout {question}` (a child that reads the web with the present message, and perhaps the question). Whoever puts a gate behind the port maps them.
 */
import type { Destination } from "@pincer/sdk";

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

export const ownerPlaces: readonly string[] = ["pigeon:42"];
export const familyId = "-100";
export const familyPlace = `pigeon:${familyId}`;
/** Where somebody can be reached. */
export const knownPlaces = [
  "pigeon:502",
  "pigeon:503",
  "pigeon:666",
  "pigeon:-200",
  "pigeon:42",
  "bob@work.example",
  "carla@home.example",
  "mallory@evil.example",
] as const;
export const sessionNames: readonly string[] = ["agent:main:main", "agent:main:pigeon:group:-200"];

export const placeNamed = ({ channel, target }: Destination): string => `${channel}:${target.peerId}`;
