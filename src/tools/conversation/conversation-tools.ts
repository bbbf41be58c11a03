import type { Tool } from "@pincer/sdk";
import type { ConversationAccess } from "./conversation-access.ts";
import { createMessageTool } from "./message.ts";
import { createSessionStatusTool } from "./session-status.ts";
import { createSessionsHistoryTool } from "./sessions-history.ts";
import { createSessionsListTool } from "./sessions-list.ts";
import { createSessionsSendTool } from "./sessions-send.ts";

/** The tools that act on conversations. */
export const createConversationTools = ({ sessions, messages }: ConversationAccess): Tool[] => [
  createSessionsListTool(sessions),
  createSessionsHistoryTool(sessions),
  createSessionsSendTool(sessions),
  createSessionStatusTool(sessions),
  createMessageTool(messages),
];
