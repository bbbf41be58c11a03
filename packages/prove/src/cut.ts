/**
 * Where and how a life of the child process is cut short. Each cut has a short text, so that a series of them can be repeated
 * exactly: `kill@turns.end:after#2`, `early:full@inbox.accept:before#1`, `kill@35ms`, `kill@12events`, `enospc@pwrite64()#7`,
 * `kill@outbox.retryAt:before#1+500`, `lose@deleted`, `early:clock@-90min`.
 */
export type Cut =
  /** At the n-th time that a named point is passed. */
  | {
      type: "failpoint";
      action: "kill" | "full" | "eio";
      point: string;
      hit: number;
      early: boolean;
      /** A network that misbehaves meanwhile, because only then the point is passed. */
      under?: string;
    }
  /** From outside, after this many milliseconds or frames on the network. */
  | { type: "after"; unit: "ms" | "events"; count: number; early: boolean }
  /** At the n-th time that the process asks the system for it. Needs strace. */
  | { type: "syscall"; action: "kill" | "enospc" | "eio"; call: string; hit: number }
  /** No file may grow beyond this size: writes really fail. */
  | { type: "file-limit"; kilobytes: number }
  /** The disk is full, long enough for people to notice: really where it can be, otherwise every write fails. Then there is room again. */
  | { type: "disk" }
  /** Between two lives noise is written over one page of the database, over some of its log, or over the root, without which it does not open. */
  | { type: "damage"; part: (typeof damages)[number] }
  /** Between two lives the database goes away, or only its log, perhaps in the middle of a checkpoint. */
  | { type: "lose"; how: (typeof losses)[number] }
  /** A backup that was made in the middle comes back; its owner runs or drops what is held. */
  | { type: "restore"; held: "retry" | "drop" }
  /** The clock on the wall jumps, in the middle of a life; early: between two. */
  | { type: "clock"; minutes: number; early: boolean }
  /** A message that ends the process each time it is looked at. */
  | { type: "poison" }
  /** A network that misbehaves, and no cut. */
  | { type: "hostile"; fault: string }
  | { type: "none" };

export const losses = ["deleted", "truncated", "log", "checkpoint"] as const;
export const damages = ["page", "log", "root"] as const;

export type FailpointCut = Extract<Cut, { type: "failpoint" }>;

export function formatCut(cut: Cut): string {
  const early = "early" in cut && cut.early ? "early:" : "";
  switch (cut.type) {
    case "failpoint":
      return `${early}${cut.action}@${cut.point}#${cut.hit}${cut.under ? `+${cut.under}` : ""}`;
    case "after":
      return `${early}kill@${cut.count}${cut.unit}`;
    case "syscall":
      return `${cut.action}@${cut.call}()#${cut.hit}`;
    case "file-limit":
      return `limit@${cut.kilobytes}kb`;
    case "hostile":
      return `hostile@${cut.fault}`;
    case "disk":
      return "disk@full";
    case "damage":
      return `damage@${cut.part}`;
    case "lose":
      return `lose@${cut.how}`;
    case "restore":
      return `restore@${cut.held}`;
    case "clock":
      return `${early}clock@${cut.minutes}min`;
    default:
      return cut.type;
  }
}

/** Undefined when the text is none. */
export function parseCut(text: string): Cut | undefined {
  const early = text.startsWith("early:");
  const rest = early ? text.slice("early:".length) : text;
  if (rest === "poison" || rest === "none") return { type: rest };
  const [action = "", place = ""] = rest.split("@");
  if (action === "hostile" && place) return { type: "hostile", fault: place };
  if (action === "disk" && place === "full") return { type: "disk" };
  if (action === "damage" && isOneOf(place, damages)) return { type: "damage", part: place };
  if (action === "lose" && isOneOf(place, losses)) return { type: "lose", how: place };
  if (action === "restore" && isOneOf(place, ["retry", "drop"])) return { type: "restore", held: place };
  const jump = /^(-?\d+)min$/.exec(place);
  if (action === "clock" && jump) return { type: "clock", minutes: Number(jump[1]), early };
  const limit = /^(\d+)kb$/.exec(place);
  if (action === "limit" && limit) return { type: "file-limit", kilobytes: Number(limit[1]) };
  const after = /^(\d+)(ms|events)$/.exec(place);
  if (action === "kill" && after) {
    return { type: "after", count: Number(after[1]), unit: after[2] as "ms" | "events", early };
  }
  const syscall = /^(\w+)\(\)#(\d+)$/.exec(place);
  if (syscall && isOneOf(action, ["kill", "enospc", "eio"])) {
    return { type: "syscall", action, call: syscall[1] ?? "", hit: Number(syscall[2]) };
  }
  const [, point, hit, under] = /^([\w.-]+(?::[\w-]+)?)#(\d+)(?:\+([\w-]+))?$/.exec(place) ?? [];
  if (point !== undefined && isOneOf(action, ["kill", "full", "eio"])) {
    return { type: "failpoint", action, point, hit: Number(hit), early, ...(under ? { under } : {}) };
  }
  return undefined;
}

/** The kinds of trouble that a report counts, beside plain kills. */
export const troubleKinds = [
  "full disk",
  "I/O error",
  "damaged page",
  "lost database",
  "restore",
  "clock jump",
  "hanging send",
] as const;
export type TroubleKind = (typeof troubleKinds)[number];

export function troubleOf(cut: Cut): TroubleKind | undefined {
  switch (cut.type) {
    case "disk":
    case "file-limit":
      return "full disk";
    case "damage":
      return "damaged page";
    case "lose":
      return "lost database";
    case "restore":
      return "restore";
    case "clock":
      return "clock jump";
    case "hostile":
      return /^(hang|late)/.test(cut.fault) ? "hanging send" : undefined;
    case "failpoint":
    case "syscall":
      return cut.action === "kill" ? undefined : cut.action === "eio" ? "I/O error" : "full disk";
    default:
      return undefined;
  }
}

const isOneOf = <Word extends string>(text: string, words: readonly Word[]): text is Word =>
  (words as readonly string[]).includes(text);
