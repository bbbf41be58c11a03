/** What a command is told, and what it answers. */
import type { Destination } from "@pincer/sdk";
import type { OpenSession } from "../storage/stores.ts";
import type { TurnPerson } from "../storage/turns.ts";

export interface CommandContext {
  person: TurnPerson;
  session: OpenSession;
  /** Where it was said. */
  destination: Destination | null;
  /** What decided the route. */
  rule: string;
  /** The message that it came with: the same one may be run again after a crash. */
  input: string;
  /** A running turn that was aborted for this command before its message came to its place. */
  abortedTurnId?: string | undefined;
}

export interface CommandResult {
  /** Whether the message goes on to the model. */
  enterModel: boolean;
  /** What is said at once; empty when the model answers. */
  output: string;
  /** Wishes for the turn, when the model is entered. */
  options?: Record<string, unknown>;
  /** The running turn that the command ended, whose own last line would say the same. */
  stoppedTurnId?: string;
  /** Whether the message goes to the last turn, which goes on with it; what is said when it cannot is not decided here. */
  goesOn?: true;
}

export const answered = (output: string): CommandResult => ({ enterModel: false, output });

/** In a group many talk and one session listens: what changes it for all of them is the owner's. */
export const isForOwnerOnly = ({ destination, person }: CommandContext): boolean =>
  person.role !== "owner" && destination !== null && destination.target.peerKind !== "user";
