/** What the next request of a session would hold: for people who ask what the assistant is told. */
import type { ContextView } from "@pincer/sdk";

export type ContextDescription = ContextView;

/**
 * Builds it as a turn would, and asks no model. The session is that of the id; else the active one of the key, of which there may be none
 * yet; else the agent's main one. Throws PincerError.
 */
export type DescribeContext = (request: {
  sessionKey?: string;
  sessionId?: string;
  agentId?: string;
}) => Promise<ContextDescription>;
