/** What the next request of a session would contain, for people who ask. */
import type { ContextView } from "@pincer/sdk";

export type ContextDescription = ContextView;

/**
 * Builds it as a turn would, without asking a model. Takes the session of the id, else the active one of the key,
 * which may not exist yet, else the agent's main one. Throws PincerError.
 */
export type DescribeContext = (request: {
  sessionKey?: string;
  sessionId?: string;
  agentId?: string;
}) => Promise<ContextDescription>;
