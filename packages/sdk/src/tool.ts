/**
 * A tool is a function that a model may call. It declares its input once, as a schema, says what kind
 * of effect it has, and returns text for the model and details for people.
 */
import type { Static, TObject } from "typebox";
import type { GateReason } from "./gate-reason.ts";
import type { Label } from "./label.ts";
import type { ImageBlock, TextBlock } from "./message.ts";
import type { Destination } from "./outbound-message.ts";
import type { ControlKind, Origin, TextProvenance } from "./provenance.ts";
import type { ReadAnswer, ReadRequest } from "./reader.ts";

/** `read` changes nothing; `write` changes the workdir; `act` is seen outside (a message, a request). */
export type ToolEffect = "read" | "write" | "act";

export const toolErrorCodes = ["tool_not_found", "invalid_args", "execution_error"] as const;
export type ToolErrorCode = (typeof toolErrorCodes)[number];

/** Where and for whom tools are shown. */
export interface ToolVisibility {
  /** `telegram`, `cli`, … */
  channel?: string;
  /** The chat on that channel. */
  chatId?: string;
  /**
   * Whose conversation it is: the owner's own chats are one, on any network; `direct` is another person's, `group`
   * has many readers.
   */
  chatType: "main" | "direct" | "group";
  /** `owner` or `peer` first, then what the directory knows besides. */
  userRoles: readonly string[];
  sessionKey: string;
  agentId: string;
  /** What is said here must stay on this machine. */
  isSensitive?: boolean;
}

export interface ToolCallContext {
  callId: string;
  sessionKey: string;
  /** The turn that the call is made in; left out where a person runs a tool by hand. */
  turnId?: string;
  signal: AbortSignal;
  /**
   * A person wrote this very call: `call` with the tool's name and arguments, `line` as a line for the shell. Left
   * out: a model did, or it is unknown.
   */
  byHand?: "call" | "line";
  /** The owner wrote this very call, or said yes to it. */
  approved?: true;
  /** The `exact` description that the owner approved: if it would differ by now, the call must not run. */
  exact?: string;
  /** Where and for whom it runs. Left out: unknown, so nothing private may be revealed. */
  place?: ToolVisibility;
  /**
   * Of all that the model was shown that makes the call; of a call that the owner wrote, clean. Left out: unknown, so what is
   * written counts as untrusted, and as private as anything. Never throws.
   */
  contextLabel?(): Promise<Label>;
  /** The owner was shown this very call and said yes to it, or wrote it. */
  confirmed?: true;
  /** The origin of a text in the arguments. Left out: unknown, so it counts as untrusted. Never throws. */
  provenanceOf?(text: string): Promise<TextProvenance>;
  /**
   * Reads an untrusted document with a model that has no tools; returns only the requested fields. Left out if no
   * model is available. Rejects when the call is stopped; other failures are answers.
   */
  read?(request: ReadRequest): Promise<ReadAnswer>;
  /** Where the turn answers: channel, account and chat. Left out if only its starter is there. */
  conversation?: Destination;
  /**
   * How a tool that answered with `async` delivers its result: the session gets it as a separate message, perhaps
   * long after the turn. On disk once it has resolved. A second call counts once. Left out if no session could read
   * it.
   */
  later?(outcome: Pick<ToolOutput, "text">): Promise<void>;
}

/** What a tool's `run` returns. `text` is for the model, `details` for people and programs. */
export interface ToolOutput {
  text: string;
  details?: unknown;
  images?: ImageBlock[];
  /** Words for the person in the conversation, besides what the model makes of it. */
  forUser?: string;
  /** The person needs to see nothing of this call. */
  silent?: boolean;
  /** The work goes on; its outcome will come as a message of its own. */
  async?: boolean;
  /**
   * Where `text` comes from, in a few words (a host, a file, a person), and its kind if it is not the tool's usual
   * one.
   */
  from?: string;
  origin?: Origin;
  /** Where it is known better than the origin says: of a file that was labelled when it was written. */
  label?: Label;
}

/** What the executor makes of it: the one shape that every caller sees. */
export interface ToolResult {
  ok: boolean;
  content: Array<TextBlock | ImageBlock>;
  data?: unknown;
  forUser?: string;
  silent?: boolean;
  async?: boolean;
  from?: string;
  origin?: Origin;
  label?: Label;
  usage: { durationMs: number };
  error?: { code: ToolErrorCode; message: string };
}

/** A result that says what went wrong, for model and people alike. */
export const toolFailure = (code: ToolErrorCode, message: string, durationMs = 0): ToolResult => ({
  ok: false,
  content: [{ type: "text", text: `${code}: ${message}` }],
  usage: { durationMs },
  error: { code, message },
});

/** What a call would do, for the person who is asked about it. */
export interface CallDescription {
  /** One or several lines: the command, the message, the request. */
  shown: string;
  /** For a command: its directory, the unusual part of its environment, what each program really is, and its wall. */
  command?: { directory: string; environment: Record<string, string>; programs: string[]; wall: string };
  /** Everything that may not be different when it runs; the same bytes are the same thing. */
  exact: string;
  /** Who or which host would hear of it: equal texts are the same one. */
  recipient?: string;
  /** What equally harmless calls have in common; left out if there are none. */
  shape?: string;
}

export interface Tool {
  /** snake_case, the same for every provider. */
  name: string;
  /** Other names a person or an old config may use for it. */
  aliases: readonly string[];
  effect: ToolEffect;
  /**
   * Whether a second run with the same arguments does no more than the first. After a crash in the middle an
   * idempotent call runs again; any other is reported to the model as interrupted and never repeated automatically.
   */
  idempotent: boolean;
  /**
   * Arguments that steer what is done and to whom (recipient, host, path, program), as opposed to content, each with
   * what it steers.
   */
  controls: Readonly<Record<string, ControlKind>>;
  /** Arguments whose content leaves the machine: nothing secret may be in them. */
  leaves: readonly string[];
  /** Words by which people ask for such a thing: where none is among the owner's, and strangers' texts were read, the owner is asked. */
  askedBy: readonly string[];
  /** The kind of its results; they are data from the other end, never instructions. */
  resultOrigin: Origin;
  description: string;
  input: TObject;
  /** Where it is shown and may run; left out: everywhere. Pure and quick: asked before each turn. */
  isVisible?(place: ToolVisibility): boolean;
  /** The effect of this very call, if it is less than the tool's. Called with valid arguments; never throws. */
  effectOf?(input: unknown): ToolEffect;
  /**
   * What a call may change in the workdir: paths, or anything. A snapshot is taken before it runs, so that it can be
   * undone. Left out: nothing, or for a tool of effect `write` anything. Called with valid arguments; never throws.
   */
  changes?(input: unknown): readonly string[] | "anything";
  /**
   * Why this call must not run unless the owner says so, in words of the tool or as reasons of the gate; undefined: it
   * may. Asked with arguments that fit the schema. May throw: then it must not.
   */
  needsApproval?(
    input: unknown,
    call: Pick<ToolCallContext, "place">,
  ): Promise<string | readonly GateReason[] | undefined>;
  /** Left out: its name and arguments say it all. Asked with arguments that fit the schema. May throw: then it must not run. */
  describe?(input: unknown, call: Pick<ToolCallContext, "place" | "conversation">): Promise<CallDescription>;
  /** May throw: the executor turns a throw into `execution_error`. Must honour `call.signal`. */
  run(input: unknown, call: ToolCallContext): Promise<ToolOutput>;
}

export interface ToolDefinition<Input extends TObject> {
  name: string;
  aliases?: readonly string[];
  effect: ToolEffect;
  /** Unless told: what only reads is idempotent, nothing else is. */
  idempotent?: boolean;
  /** Default: all of them, as values, since a forgotten one must not be a hole. */
  controls?: Readonly<Record<string, ControlKind>>;
  /** Default: all of them if it acts, none otherwise. */
  leaves?: readonly string[];
  /** Default: the words of its name, if it acts on something that is no recipient. */
  askedBy?: readonly string[];
  /** Unless told: `tool`. */
  resultOrigin?: Origin;
  description: string;
  input: Input;
  isVisible?(place: ToolVisibility): boolean;
  effectOf?(input: Static<Input>): ToolEffect;
  changes?(input: Static<Input>): readonly string[] | "anything";
  needsApproval?(
    input: Static<Input>,
    call: Pick<ToolCallContext, "place">,
  ): Promise<string | readonly GateReason[] | undefined>;
  describe?(
    input: Static<Input>,
    call: Pick<ToolCallContext, "place" | "conversation">,
  ): Promise<CallDescription>;
  run(input: Static<Input>, call: ToolCallContext): Promise<ToolOutput>;
}

/** Ties the type of `run`'s input to the declared schema. */
export function defineTool<Input extends TObject>(definition: ToolDefinition<Input>): Tool {
  const { changes, needsApproval, describe, effectOf, ...rest } = definition;
  const controls: Tool["controls"] =
    definition.controls ??
    Object.fromEntries(Object.keys(definition.input.properties).map((name) => [name, "value" as const]));
  return {
    aliases: [],
    idempotent: definition.effect === "read",
    askedBy: definition.effect === "act" && hasPlainControls(controls) ? wordsOf(definition.name) : [],
    leaves: definition.effect === "act" ? Object.keys(definition.input.properties) : [],
    resultOrigin: "tool",
    ...rest,
    controls,
    ...(effectOf && { effectOf: (input) => effectOf(input as Static<Input>) }),
    ...(changes && { changes: (input) => changes(input as Static<Input>) }),
    ...(needsApproval && {
      needsApproval: (input, call) => needsApproval(input as Static<Input>, call),
    }),
    ...(describe && { describe: (input, call) => describe(input as Static<Input>, call) }),
    run: (input, call) => definition.run(input as Static<Input>, call),
  };
}

const hasPlainControls = (controls: Tool["controls"]): boolean =>
  Object.values(controls).some((kind) => kind === "value" || kind === "schedule" || kind === "url");

/** Short ones and verbs that every tool has say nothing. */
const wordsOf = (name: string): string[] =>
  name.split("_").filter((word) => word.length >= 4 && !["list", "make", "send", "create"].includes(word));
