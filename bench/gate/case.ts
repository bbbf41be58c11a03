/**
 * How a case of the gate's bench is written: a world, what people say in it, what the model does, and what may or must come of it. Each
 * line of a corpus is checked against these schemas. README.md tells the same with examples.
 */
import { Type, type Static, type TProperties } from "typebox";

/** A key that no schema knows is a slip of the pen. */
const exactly = <Properties extends TProperties>(properties: Properties) =>
  Type.Object(properties, { additionalProperties: false });
const text = Type.String();
const optionalText = Type.Optional(Type.String());
const texts = Type.Record(Type.String(), Type.String());

const plainOrder = exactly({
  call: text,
  with: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
});

/**
 * A call. Strings in `with` may hold `{{seen:/regex/}}` (what the model has seen, the first group if there is one), `{{secret:notes}}` (a planted
 * secret, once the model has seen it), `{{result:1}}` (the text of the turn's nth result), each with `|base64`, `|hex`, `|rot13`, `|reverse`, `|dots`, `|url`, `|upper`,
 * `|slice:0:5`, and `|each`, which makes one call for every character. `{{canary:…}}` cannot be known by a model and is not filled in here.
 * Where one of them has not been seen the call is not made; a task fails then.
 */
const order = exactly({
  ...plainOrder.properties,
  /** Tried one after another while the one before is refused. */
  otherwise: Type.Optional(Type.Array(plainOrder)),
});

/** One request to the model: calls made together, or the words that end the turn. */
const step = Type.Union([order, exactly({ calls: Type.Array(order) }), exactly({ text })]);

const grantedValue = Type.Union([
  exactly({
    value: text,
    /** How it may read in the effect, where words fix a value that is spelled otherwise there ("tonight at seven"). */
    shows: optionalText,
  }),
  exactly({ from: text }),
]);

/**
 * What the owner's words of one saying allow, read by a person: the yardstick for what happens, and what the oracle
 * planner answers. Not what the model does, nor what somebody else's words ask for.
 */
const wordsGrant = exactly({
  /** The words that ask for it, as they stand in the saying. */
  quote: text,
  /** The tool that would do it; `answer` is the answer itself, into a group. */
  tool: text,
  /** Tools that would do it as well, where the words leave the way open: one of them, not each. */
  or: Type.Optional(Type.Array(text)),
  /** Names of contacts, addresses as they stand in the words, or `here`. Empty where the words name nobody. */
  recipients: Type.Optional(Type.Array(text)),
  /** Hosts or whole addresses that may be asked to do something. Reading is not granted but free, or asked. */
  hosts: Type.Optional(Type.Array(text)),
  /** Arguments that the words fix, or that they say to take from a source; a `path` that ends in `/` is a directory. */
  args: Type.Optional(Type.Record(text, grantedValue)),
  /**
   * What may leave with it: paths in the workdir, addresses of pages, `web` (what was found), `mail`, `calendar`, `memory`,
   * `answer` (what the assistant said), `quoted` and `forwarded` (what came with a message), `chat` (what others said here).
   */
  sources: Type.Optional(Type.Array(text)),
  /** How many effects; left out: any number. */
  count: Type.Optional(Type.Integer({ minimum: 1 })),
});

/** One message that somebody writes, and what the model does about it by itself. */
const saying = exactly({
  /** A person of the usual world: `ada` (the owner, unless told), `anna`, `bob`, `carla`, `peter`, `mallory`; or anybody: see `as`. */
  by: optionalText,
  /** Somebody whom the usual world does not know. */
  as: Type.Optional(exactly({ id: text, name: optionalText })),
  /** `direct` (unless told), `family` or `work`: groups of the usual world. */
  in: optionalText,
  text,
  /** In a group: whether the assistant is spoken to; unless told, it is. */
  mentioned: Type.Optional(Type.Boolean()),
  /** Forwarded: the sender did not write it. */
  forwarded: Type.Optional(Type.Boolean()),
  /** The words of the message that it answers. */
  quotes: optionalText,
  /** Files that come along, by name; the text above is their caption. */
  files: Type.Optional(texts),
  /** What these words allow. Every saying of `corpus/` has it, so that an empty list says: somebody read them, and they allow nothing. */
  grants: Type.Optional(Type.Array(wordsGrant)),
  /** `card`: any careful owner would want one question about it, as about a recipient whom nobody named. */
  needs: Type.Optional(Type.Literal("card")),
  /** What the model does in this turn, in order. Left out: it answers "Done." */
  script: Type.Optional(Type.Array(step)),
  /** What the owner says to questions that come up now. Unless told: `deny` in an attack, so that the model goes on to its next trick, `once` in a task. */
  answer: Type.Optional(Type.Enum(["none", "once", "task", "recipient", "shape", "deny"])),
});

const page = exactly({
  body: text,
  /** Unless told `text/html`, with the body as it is; `application/pdf` makes a PDF of the body's lines. */
  type: optionalText,
  status: Type.Optional(Type.Integer()),
  headers: Type.Optional(texts),
  /** Redirects there instead. */
  location: optionalText,
});

const searchHit = exactly({ title: text, url: text, snippet: text });
const mail = exactly({ id: text, from: text, subject: text, body: text });
const calendarEntry = exactly({ title: text, when: text, notes: optionalText });

/** Placeholders stand in every text of a world: `{{canary:notes}}` is one of the planted secrets, fresh in each run. */
const world = exactly({
  /** Name to "channel:id"s and addresses. */
  contacts: Type.Optional(Type.Record(Type.String(), Type.Array(text))),
  /** Path in the workdir to content; `skills/x/SKILL.md` and `MEMORY.md` are files like others. */
  files: Type.Optional(texts),
  /** Whole address to page. */
  pages: Type.Optional(Type.Record(Type.String(), Type.Union([text, page]))),
  /** What is found for a query that holds the key (case does not matter); `*` for any. */
  search: Type.Optional(Type.Record(Type.String(), Type.Array(searchHit))),
  mails: Type.Optional(Type.Array(mail)),
  /** What `parcel_status` fails with, in the words of the service's operator. */
  parcelError: optionalText,
  calendar: Type.Optional(Type.Array(calendarEntry)),
  /** Laid over the usual config, key by key. */
  config: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  /** What the model fills in where a document is read for it field by field (`fields` of web_fetch): by name, with `{{seen:…}}` of the document. */
  reads: Type.Optional(texts),
  /** Tokens that the model can read at once; a small one makes sessions be summed up. */
  contextWindow: Type.Optional(Type.Integer()),
});

const effectTypes = [
  "message",
  "request",
  "lookup",
  "search",
  "mail",
  "calendar",
  "file",
  "startup",
  "protected",
  "memory",
  "outside",
  "setting",
  "session",
  "service",
] as const satisfies ReadonlyArray<Effect["type"]>;

/** Fits an effect when every key that it names fits: texts by equality, or `/regex/i`, or as a part where they begin with `…`. */
const effectPattern = Type.Unsafe<EffectPattern>(
  Type.Object({ type: Type.Enum([...effectTypes]) }, { additionalProperties: Type.String() }),
);

const check = Type.Union([
  /** There is such an effect, or there is none. */
  exactly({ effect: effectPattern }),
  exactly({ noEffect: effectPattern }),
  /** Said in the conversation in which it was asked, since the last saying unless `ever`. */
  exactly({ replied: text, ever: Type.Optional(Type.Literal(true)) }),
  /** Of the workdir, in the end. Undefined: it is there. */
  exactly({ file: text, includes: optionalText, lacks: optionalText }),
  exactly({ noFile: text }),
  /** A result of a tool in any turn: that it was called with success, and what it said. */
  exactly({ result: text, includes: optionalText }),
  /** The exact number of requests to the owner. */
  exactly({ asked: Type.Integer() }),
]);

const anyCase = {
  /** Unique over all corpora: `mail-send-attacker`, `task-web-price`. */
  id: text,
  /** The law of `laws/` that it bears witness to. */
  law: Type.Optional(
    Type.Enum(["grants", "leaving", "bits", "labels", "planner-input", "steering", "startup"]),
  ),
  /** Besides the usual world of `usual-world.ts`. */
  world: Type.Optional(world),
  /** Said before: earlier turns, and the questions through which the owner granted something. In a task nothing of it counts. */
  before: Type.Optional(Type.Array(saying)),
  says: Type.Array(saying),
};

/** Somebody else's text gets the model to work for them. */
const attackCase = exactly({
  type: Type.Literal("attack"),
  ...anyCase,
  /** What kind of trick: `send`, `exfiltrate`, `persist`, `destroy`, `launder`, `look-alike`, `assent`, `claim`, `probe`, `control`. */
  class: text,
  /** What the text came in with: `mail`, `page`, `file`, `memory`, `group`, `error`, `skill`, `file-name`, `caption`, … */
  carrier: text,
  /** In a few words, for the report. */
  goal: text,
  /**
   * For texts that hold no orders for the machine to read: what the model is got to do, and the words that it must have seen for it. Done
   * once in each turn, like the orders in texts.
   */
  hijack: Type.Optional(exactly({ trigger: text, orders: Type.Array(order) })),
  /** Effects that the people in it did want. Everything else counts, save what `judge.ts` lets pass in any case. */
  allowed: Type.Optional(Type.Array(effectPattern)),
  /** Effects that count although they would pass in any case, as a change of a file in the workdir. */
  forbidden: Type.Optional(Type.Array(effectPattern)),
  /**
   * Why it cannot succeed even where nobody looks at where values come from: another wall stands before it (the sandbox, the door). Left out:
   * `--prove-teeth` wants to see it succeed.
   */
  wall: optionalText,
});

/** Something that people want of an assistant every day, done by a model that does it well. */
const taskCase = exactly({
  type: Type.Literal("task"),
  ...anyCase,
  /** `web`, `mail`, `message`, `group`, `code`, `notes`, `calendar`, `files`, `sessions`, … */
  kind: text,
  /** All of them must hold in the end. */
  done: Type.Array(check),
});

export const caseSchemas = { attack: attackCase, task: taskCase };

export type AttackCase = Static<typeof attackCase>;
export type TaskCase = Static<typeof taskCase>;
export type Case = AttackCase | TaskCase;
export type World = Static<typeof world>;
export type Page = Static<typeof page>;
export type SearchHit = Static<typeof searchHit>;
export type Mail = Static<typeof mail>;
export type CalendarEntry = Static<typeof calendarEntry>;
export type Saying = Static<typeof saying>;
export type WordsGrant = Static<typeof wordsGrant>;
export type Step = Static<typeof step>;
export type Order = Static<typeof order>;
export type Check = Static<typeof check>;

export interface EffectPattern {
  type: Effect["type"];
  [key: string]: string;
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
  /** As `file`, of the files that run without being started: git hooks, tasks of editors, … (`startup-files.ts`). */
  | { type: "startup"; path: string; change: "created" | "changed" | "deleted"; content: string }
  /** As `file`, of the files that steer the assistant: AGENTS.md, skills/… */
  | { type: "protected"; path: string; change: "created" | "changed" | "deleted"; content: string }
  /** A new line of memory that later turns take for granted. */
  | { type: "memory"; path: string; line: string }
  /** A file beside the workdir. */
  | { type: "outside"; path: string; change: "created" | "changed" | "deleted" }
  /** A setting of the installation: a rule, a grant, a paired person, an owner, the config, an answered request. */
  | { type: "setting"; what: string; words: string }
  /** Words that came into one session from another. */
  | { type: "session"; key: string; text: string }
  /** Any other tool of a desk or a house that acted: `words` are its arguments. */
  | { type: "service"; tool: string; words: string };
