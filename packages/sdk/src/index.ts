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
  modelErrorCodes,
  noUsage,
  textOf,
  type ModelErrorCode,
} from "./message.ts";
export {
  EntryBody,
  type AnchorEntryBody,
  type CompactionEntryBody,
  type Entry,
  type MessageEntry,
  type MessageEntryBody,
  type SessionEntryBody,
} from "./entry.ts";
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
  type CallDescription,
  type Tool,
  type ToolCallContext,
  type ToolVisibility,
  type ToolEffect,
  type ToolErrorCode,
  type ToolOutput,
  type ToolResult,
} from "./tool.ts";
export { Origin, controlKinds, origins, type ControlKind, type TextProvenance } from "./provenance.ts";
export type { ReadAnswer, ReadRequest, ReadValue } from "./reader.ts";
export type { Model, ModelEvent, ModelRequest, ToolDescription } from "./model.ts";
export {
  Attachment,
  InboundContent,
  InboundMessage,
  Peer,
  Sender,
  type ReceivedMessage,
} from "./inbound-message.ts";
export {
  Destination,
  MessageAction,
  OutboundMessage,
  Target,
  conversationOf,
  recipientOf,
} from "./outbound-message.ts";
export {
  SendError,
  retryPolicies,
  sendErrorCodes,
  type RetryPolicy,
  type SendErrorCode,
} from "./send-error.ts";
export {
  defineChannel,
  type Channel,
  type ChannelConnection,
  type ChannelHost,
  type ChannelLog,
  type ChannelTraits,
  type MediaStore,
  type SendAttempt,
  type SentMessage,
  type SentQuery,
} from "./channel.ts";
export {
  EventFrame,
  FrameError,
  RequestFrame,
  ResponseFrame,
  protocolErrorCodes,
  type Frame,
  type ProtocolErrorCode,
} from "./protocol/frames.ts";
export { largestFrameBytes, protocolVersion } from "./protocol/version.ts";
export {
  methods,
  type FamilyOf,
  type MethodEffect,
  type MethodName,
  type MethodParams,
} from "./protocol/methods.ts";
export type {
  AllowedView,
  ChannelView,
  CredentialTestView,
  CredentialView,
  DeadLetterView,
  GatewayView,
  MethodResults,
  NoticeView,
  OutboxView,
  OwnerView,
  PairingView,
  RuleView,
  RunEventView,
  RunView,
  UsageView,
  WelcomeView,
} from "./protocol/results.ts";
export type {
  ModelProviderView,
  ModelStateView,
  ModelStatusView,
  ModelTestView,
  ModelView,
} from "./protocol/model-views.ts";
export type {
  ContextPartView,
  ContextView,
  HandoffView,
  TapeHitView,
  TapeSearchView,
  TapeInfoView,
  TapeMarkView,
} from "./protocol/tape-views.ts";
export {
  approvalScopes,
  type ApprovalScope,
  type ApprovalView,
  type CommandFactView,
  type GrantView,
  type PolicyExplanation,
} from "./protocol/approval-views.ts";
export type { ChangedPathView, TurnChangesView, UndoReportView } from "./protocol/undo-views.ts";
export type {
  MemoryIndexView,
  MemorySearchView,
  MemoryStatusView,
  MemoryWindow,
  UnconfirmedLineView,
} from "./protocol/memory-views.ts";
export {
  memorySourceKinds,
  type MemoryAnswer,
  type MemoryChange,
  type MemoryFreshness,
  type MemoryHit,
  type MemoryLine,
  type MemoryQuery,
  type MemoryScope,
  type MemorySource,
  type MemorySourceKind,
  type MemorySourceState,
  type MemoryStore,
  type MemoryStorePlugin,
  type MemoryStoreStatus,
} from "./memory-store.ts";
export type { CoreEvent, CoreService } from "./core-service.ts";
