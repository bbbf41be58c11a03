export {
  AssistantMessage,
  ImageBlock,
  Message,
  TextBlock,
  ThinkingBlock,
  ToolCallBlock,
  ToolResultMessage,
  Usage,
  UserMessage,
  noUsage,
  textOf,
} from "./message.ts";
export { EntryBody, type Entry, type MessageEntryBody, type SessionEntryBody } from "./entry.ts";
export {
  defaultScope,
  formatSessionKey,
  normaliseAgentId,
  parseSessionKey,
  sameScope,
  type Conversation,
  type ParsedSessionKey,
  type ScopeDefaults,
  type SessionScope,
} from "./session-key.ts";
export { wellFormedMessages, type Repair } from "./well-formed-messages.ts";
export {
  PincerError,
  asPincerError,
  errorCodes,
  type ErrorCode,
  type ErrorDomain,
  type ErrorText,
} from "./errors.ts";
export {
  defineTool,
  toolErrorCodes,
  toolFailure,
  type Tool,
  type ToolCallContext,
  type ToolEffect,
  type ToolErrorCode,
  type ToolOutput,
  type ToolResult,
} from "./tool.ts";
export type { Model, ModelEvent, ModelRequest, ToolDescription } from "./model.ts";
