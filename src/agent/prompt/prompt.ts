/** The prompt: named sections, each with the reason why it is there. */
import type { ToolDescription } from "@pincer/sdk";
import type { TextKey } from "../../infra/texts.ts";

/** In the order in which they stand: what changes least comes first, so that a change leaves as much as possible in the provider's cache. */
export const sectionNames = [
  "identity",
  "time",
  "messaging",
  "tooling",
  "workspace",
  "skills",
  "recall",
  "files",
  "rules",
  "memory",
  "session-memory",
] as const;
export type SectionName = (typeof sectionNames)[number];

/**
 * full: everything. minimal: for an agent that works for another one: tooling and workspace. none: one line of identity. lite: what a
 * simple question needs, and nothing that would have to be read from a disk. custom: everything but what the options leave out.
 * What the owner has ruled stands in all of them.
 */
export const contextStrategies = ["full", "minimal", "none", "lite", "custom"] as const;
export type ContextStrategy = (typeof contextStrategies)[number];

/** Empty lists limit nothing. All of it holds under `custom`; the other strategies are fixed sets. */
export interface ContextOptions {
  strategy: ContextStrategy;
  includeSkills: readonly string[];
  excludeSkills: readonly string[];
  includeTools: readonly string[];
  excludeTools: readonly string[];
  includeMemory: boolean;
  includeRuntime: boolean;
}

export interface PromptText {
  /** As the prompt names it: `SOUL.md`, `memory/2026-11-15.md`. */
  name: string;
  text: string;
  /** Only its beginning, or of notes only their end, fitted. */
  truncated: boolean;
}

export interface PromptFacts {
  identity: { name?: string | undefined; user?: string | undefined };
  /** Takes the place of the identity part and of nothing else. */
  override?: { text: string; source: "config" | "workspace" } | undefined;
  agentId: string;
  workdir: string;
  /** IANA name. The time itself rides with each message. */
  timezone: string;
  /** Left out where nobody talks on a channel. */
  channel?: string | undefined;
  chatType: "main" | "direct" | "group";
  tools: readonly ToolDescription[];
  skills: ReadonlyArray<{ name: string; description: string; path: string }>;
  /** AGENTS.md, SOUL.md, … as they are in the workdir. */
  files: readonly PromptText[];
  memory: readonly PromptText[];
  /** How many lines of it were learnt from others and are left out until the owner confirms them. */
  unconfirmedLines?: number | undefined;
  sessionMemory?: PromptText | undefined;
  rules: ReadonlyArray<{ id: number; text: string; enforced: boolean }>;
  /** What could not be used, by the part that it was for. Changes nothing of the text. */
  leftOut?: Partial<Record<SectionName, readonly LeftOut[]>> | undefined;
}

export interface PromptPart {
  name: SectionName;
  text: string;
  why: Why;
  /** What would have been in it, and is not. */
  leftOut?: readonly LeftOut[] | undefined;
}

/** For people: why a part is there, to be said in their language. */
export interface Why {
  key: TextKey;
  parameters: Record<string, string | number>;
}

export interface LeftOut {
  name: string;
  reason: string;
}

export interface Prompt {
  text: string;
  /** One whose content was left out altogether has no text, and is no part of the whole one. */
  parts: PromptPart[];
}

/** Makes one part of the facts, or none where there is nothing to say. Pure: the same facts give the same bytes. */
export type Section = (facts: PromptFacts) => Pick<PromptPart, "text" | "why"> | undefined;
