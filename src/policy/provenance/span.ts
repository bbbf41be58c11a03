/** A piece of what a model was shown, with its origin. Control arguments are looked up in these. */
import type { Origin } from "@pincer/sdk";

export interface Span {
  /** `prompt`: our own text to the model (files, config, confirmed notes). */
  origin: Origin | "prompt";
  /** In a few words: a host, a file, a person. */
  from: string;
  text: string;
  /** Increases in reading order. */
  at: number;
  /** Whether it came with or after the words that the turn answers. */
  turn: "now" | "before";
}

/**
 * Whose words they are: the owner's, the product's own, or a stranger's, who may write whatever a model would obey.
 */
export type Trust = "owner" | "pincer" | "stranger";

const trusts: Record<Span["origin"], Trust> = {
  owner: "owner",
  prompt: "pincer",
  system: "pincer",
  peer: "stranger",
  group: "stranger",
  quoted: "stranger",
  file: "stranger",
  program: "stranger",
  web: "stranger",
  memory: "stranger",
  session: "stranger",
  summary: "stranger",
  tool: "stranger",
};

export const trustOf = ({ origin }: Pick<Span, "origin">): Trust => trusts[origin];

/** From outside: the model cannot have composed it and read it back. */
const outside: ReadonlySet<Span["origin"]> = new Set(["web", "peer", "group", "quoted"]);

export const isOutside = ({ origin }: Pick<Span, "origin">): boolean => outside.has(origin);

/** The owner's private things, not for everybody who reads along. */
const own: ReadonlySet<Span["origin"]> = new Set(["file", "program", "memory", "session"]);

export const isPrivateOrigin = (origin: Span["origin"]): boolean => own.has(origin);
