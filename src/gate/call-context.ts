/**
 * What the gate knows about the context that makes a call. It is read from stored entries, so a turn that resumes
 * after a crash or a day of waiting is judged alike.
 */
import type { Label, Origin, TextBlock } from "@pincer/sdk";
import type { CallFacts } from "./call-facts.ts";

/** A text that the model was shown. */
export interface ShownText {
  text: string;
  origin: Origin | "prompt";
  /** In a few words: a host, a file, a person. */
  from: string;
  label: Label;
  /** Of what a call gave back: it may hold what the call was told. */
  told?: ToldByCall | undefined;
}

/** What a call said to whoever answered it. */
export interface ToldByCall {
  /** The texts of its arguments. */
  texts: readonly string[];
  /** Strangers had a say in the call. */
  isTainted: boolean;
  /** The answer says only why it did not work. */
  isFailure: boolean;
}

export interface CallContext {
  /** Of everything that the model was shown: prompt, history, and the turn up to the call. */
  label: Label;
  /** The same texts, oldest first. */
  shown: readonly ShownText[];
  /** What the owner surely typed in the present message, block by block; empty in a turn that nobody typed. */
  typed: readonly string[];
  /** All that the owner said in it, pastes included, for the planner. */
  said: readonly TextBlock[];
  /** Words that the owner typed before, and answers that were written untainted; oldest first. */
  earlierWords: readonly string[];
  /** Whether the person may be asked and may grant: the owner's own turn. */
  isOwners: boolean;
  /** Whether others than the owner read the answer. */
  isGroup: boolean;
  /** Texts that the owner was shown in full: answers that were delivered, cards. Keyed by their source. */
  seen: ReadonlyArray<{ source: string; text: string }>;
  /** Pages that the turn read, by the address that was asked for: `page:https://…`. */
  pages: ReadonlyArray<{ source: string; text: string }>;
  /** Calls with effects that ran earlier in the task, oldest first. */
  earlier: readonly CallFacts[];
  /** All calls before, of earlier turns too, as far as they are shown: what the model wrote itself is no outside text. */
  earlierCalls: ReadonlyArray<Pick<CallFacts, "controls" | "arguments">>;
}
