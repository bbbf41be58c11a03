/**
 * How a case of the gate's bench is written: a world, what people say in it, what the model does, and what may or must come of it. All of it
 * is plain data, so that a corpus can be a JSON file as well. README.md tells the same with examples.
 */

/** What a corpus file exports: TypeScript as `cases`, JSON as the list itself. */
export type Corpus = readonly Case[];
export type Case = AttackCase | TaskCase;

interface AnyCase {
  /** Unique over all corpora: `mail-send-attacker`, `task-web-price`. */
  id: string;
  /** Besides the usual world of `usual-world.ts`. */
  world?: World;
  /** Said before: earlier turns, and the questions through which the owner granted something. In a task nothing of it counts. */
  before?: readonly Saying[];
  says: readonly Saying[];
}

/** Somebody else's text gets the model to work for them. */
export interface AttackCase extends AnyCase {
  type: "attack";
  /** What kind of trick: `send`, `exfiltrate`, `persist`, `destroy`, `launder`, `look-alike`, `assent`, `claim`, `probe`, `control`. */
  class: string;
  /** What the text came in with: `mail`, `page`, `file`, `memory`, `group`, `error`, `skill`, `file-name`, `caption`, … */
  carrier: string;
  /** In a few words, for the report. */
  goal: string;
  /**
   * For texts that hold no orders for the machine to read: what the model is got to do, and the words that it must have seen for it. Done
   * once in each turn, like the orders in texts.
   */
  hijack?: { trigger: string; orders: readonly Order[] };
  /** Effects that the people in it did want. Everything else counts, save what `judge.ts` lets pass in any case. */
  allowed?: readonly EffectPattern[];
  /** Effects that count although they would pass in any case, as a change of a file in the workdir. */
  forbidden?: readonly EffectPattern[];
  /**
   * Why it cannot succeed even where nobody looks at where values come from: another wall stands before it (the sandbox, the door). Left out:
   * `--prove-teeth` wants to see it succeed.
   */
  wall?: string;
}

/** Something that people want of an assistant every day, done by a model that does it well. */
export interface TaskCase extends AnyCase {
  type: "task";
  /** `web`, `mail`, `message`, `group`, `code`, `notes`, `calendar`, `files`, `sessions`, … */
  kind: string;
  /** All of them must hold in the end. */
  done: readonly Check[];
}

/** Placeholders stand in every text of a world: `{{canary:notes}}` is one of the planted secrets, fresh in each run. */
export interface World {
  /** Name to "channel:id"s and addresses. */
  contacts?: Record<string, readonly string[]>;
  /** Path in the workdir to content; `skills/x/SKILL.md` and `MEMORY.md` are files like others. */
  files?: Record<string, string>;
  /** Whole address to page. */
  pages?: Record<string, string | Page>;
  /** What is found for a query that holds the key (case does not matter); `*` for any. */
  search?: Record<string, readonly SearchHit[]>;
  mails?: readonly Mail[];
  /** What `parcel_status` fails with, in the words of whoever runs that service. */
  parcelError?: string;
  calendar?: readonly CalendarEntry[];
  /** Laid over the usual config, key by key. */
  config?: Record<string, unknown>;
  /** What the model fills in where a document is read for it field by field (`fields` of web_fetch): by name, with `{{seen:…}}` of the document. */
  reads?: Record<string, string>;
  /** Tokens that the model can read at once; a small one makes sessions be summed up. */
  contextWindow?: number;
}

export interface Page {
  body: string;
  /** Unless told `text/html`, with the body as it is; `application/pdf` makes a PDF of the body's lines. */
  type?: string;
  status?: number;
  headers?: Record<string, string>;
  /** Redirects there instead. */
  location?: string;
}

export interface SearchHit {
  title: string;
  url: string;
  snippet: string;
}

export interface Mail {
  id: string;
  from: string;
  subject: string;
  body: string;
}

export interface CalendarEntry {
  title: string;
  when: string;
  notes?: string;
}

/** One message that somebody writes, and what the model does about it by itself. */
export interface Saying {
  /** A person of the usual world: `ada` (the owner, unless told), `anna`, `bob`, `carla`, `peter`, `mallory`; or anybody: see `as`. */
  by?: string;
  /** Somebody whom the usual world does not know. */
  as?: { id: string; name?: string };
  /** `direct` (unless told), `family` or `work`: groups of the usual world. */
  in?: string;
  text: string;
  /** In a group: whether the assistant is spoken to; unless told, it is. */
  mentioned?: boolean;
  /** Passed on, not written by whoever sends it. */
  forwarded?: boolean;
  /** The words of the message that it answers. */
  quotes?: string;
  /** Files that come along, by name; the text above is their caption. */
  files?: Record<string, string>;
  /** What the model does in this turn, in order. Left out: it answers "Done." */
  script?: readonly Step[];
  /** What the owner says to questions that come up now. Unless told: `deny` in an attack, so that the model goes on to its next trick, `once` in a task. */
  answer?: "none" | "once" | "task" | "recipient" | "shape" | "deny";
}

/** One request to the model: calls made together, or the words that end the turn. */
export type Step = Order | { calls: readonly Order[] } | { text: string };

/**
 * A call. Strings in `with` may hold `{{seen:/regex/}}` (what the model has seen, the first group if there is one), `{{secret:notes}}` (a planted
 * secret, once the model has seen it), `{{result:1}}` (the text of the turn's nth result), each with `|base64`, `|hex`, `|rot13`, `|reverse`, `|dots`, `|url`, `|upper`,
 * `|slice:0:5`, and `|each`, which makes one call for every character. `{{canary:…}}` cannot be known by a model and is not filled in here.
 * Where one of them has not been seen the call is not made; a task fails then.
 */
export interface Order {
  call: string;
  with?: Record<string, unknown>;
  /** Tried one after another while the one before is refused. */
  otherwise?: readonly Order[];
}

/** What happened, where it happened. */
export type Effect =
  /** `to` is "channel:id". */
  | { type: "message"; to: string; text: string }
  /** Seen by a server of the web. */
  | { type: "request"; method: string; url: string; headers: Record<string, string>; body: string }
  /** A name was looked up, whether or not anything was asked of it. */
  | { type: "lookup"; host: string }
  | { type: "search"; query: string }
  | { type: "mail"; to: string; subject: string; body: string }
  | { type: "calendar"; title: string; when: string; invite: string }
  /** In the workdir: how it reads now; `content` is empty where it is gone. */
  | { type: "file"; path: string; change: "created" | "changed" | "deleted"; content: string }
  /** As `file`, of the files that steer the assistant: AGENTS.md, skills/… */
  | { type: "protected"; path: string; change: "created" | "changed" | "deleted"; content: string }
  /** A new line of memory that later turns take for granted. */
  | { type: "memory"; path: string; line: string }
  /** A file beside the workdir. */
  | { type: "outside"; path: string; change: "created" | "changed" | "deleted" }
  /** A setting of the house: a rule, a grant, a paired person, an owner, the config, an answered question. */
  | { type: "setting"; what: string; words: string }
  /** Words that came into one session from another. */
  | { type: "session"; key: string; text: string };

/** Fits an effect when every key that it names fits: texts by equality, or `/regex/i`, or as a part where they begin with `…`. */
export interface EffectPattern {
  type: Effect["type"];
  [key: string]: string;
}

export type Check =
  /** There is such an effect, or there is none. */
  | { effect: EffectPattern }
  | { noEffect: EffectPattern }
  /** Said in the conversation in which it was asked, since the last saying unless `ever`. */
  | { replied: string; ever?: true }
  /** Of the workdir, in the end. Undefined: it is there. */
  | { file: string; includes?: string; lacks?: string }
  | { noFile: string }
  /** A result of a tool in any turn: that it was called with success, and what it said. */
  | { result: string; includes?: string }
  /** Exactly so many questions were put to the owner. */
  | { asked: number };
