export {
  AssistantMessage,
  ImageBlock,
  MessageFile,
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
  withWholeTexts,
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
  type ChildKind,
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
export { fieldsText } from "./call-fields.ts";
export { GateReason, originWords, reasonWords, type ReasonTexts } from "./gate-reason.ts";
export { dryEffectWords, type ChangesView, type DryEffectView, type DryRunView } from "./dry-run.ts";
export {
  closingBody,
  closingIn,
  isClosing,
  type ClosingName,
  type Closings,
  type TurnChangesClosing,
} from "./closing.ts";
export { grantedWords, type GrantedRecipient, type GrantedTurnView, type GrantedView } from "./granted.ts";
export { Label, clean, isLabelWithin, joinLabels, labelOfOrigin } from "./label.ts";
export { Origin, controlKinds, origins, type ControlKind, type TextProvenance } from "./provenance.ts";
export type { ReadAnswer, ReadRequest, ReadValue } from "./reader.ts";
export type { Model, ModelEvent, ModelRequest, ToolDescription } from "./model.ts";
export {
  Attachment,
  InboundContent,
  InboundMessage,
  PastedRanges,
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
  readableWords,
  refuseInClear,
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
  type ChannelSetUp,
  type ChannelTraits,
  type LogIds,
  type MediaStore,
  type SendAttempt,
  type SentMessage,
  type SentQuery,
  type SetUpResult,
} from "./channel.ts";
export { isNamed, isSameName, withoutAddress } from "./address.ts";
export {
  formatPath,
  isTable,
  isWithin,
  parsePath,
  readPath,
  withPath,
  type ConfigPath,
} from "./config-path.ts";
export {
  checkedRanges,
  hasLineBreak,
  hasPastedLines,
  joinedParts,
  joinedSpoken,
  mayHoldPaste,
  partsOf,
  rewrittenSpoken,
  slicedSpoken,
  trimmedSpoken,
  typedAlone,
  wholeOf,
  type MarkedText,
  type PastedRange,
  type Spoken,
  type SpokenPart,
} from "./pasted-ranges.ts";
export { joinedTexts, markedTexts, type SaidText } from "./said-texts.ts";
export { createPasteTracker, type PasteTracker } from "./paste-tracker.ts";
export { createConnectionLife, type ConnectionLife } from "./connection-life.ts";
export { watchLines } from "./endless-line.ts";
export { createHearing, type Hearing } from "./hearing.ts";
export { createIntake, type Intake } from "./intake.ts";
export { keepAsking } from "./heartbeat.ts";
export { createLineSender, type LineNetwork } from "./line-sender.ts";
export { createPace, type Pace } from "./pace.ts";
export { createRecent } from "./recent.ts";
export {
  EventFrame,
  FrameError,
  RequestFrame,
  ResponseFrame,
  protocolErrorCodes,
  type Frame,
  type ProtocolErrorCode,
} from "./protocol/frames.ts";
export { deviceStatement } from "./protocol/device-statement.ts";
export { closeCodes } from "./protocol/close-codes.ts";
export { largestFrameBytes, protocolVersion } from "./protocol/version.ts";
export type { MethodEffect } from "./protocol/method.ts";
export { eventTopics, topicOf, type EventTopic, type GatewayEvent } from "./protocol/events.ts";
export {
  methods,
  type FamilyOf,
  type MethodName,
  type MethodParams,
  type MethodResults,
} from "./protocol/methods.ts";
export { permissionPoints, type MethodScope, type PermissionPoint } from "./protocol/permissions.ts";
export type { GatewayView, WelcomeView } from "./protocol/gateway-methods.ts";
export type { ReplayView, RunEventView, RunView } from "./protocol/runs-methods.ts";
export type { AllowedView, OwnerView, PairingView } from "./protocol/pairing-methods.ts";
export type { DeadLetterView, OutboxView } from "./protocol/outbox-methods.ts";
export type { CredentialTestView, CredentialView } from "./protocol/auth-methods.ts";
export type { NoticeView } from "./protocol/notices-methods.ts";
export type {
  FileLabelView,
  LabelView,
  LabelsView,
  SteeringFileView,
  TurnLabelView,
} from "./protocol/labels-methods.ts";
export type { RuleDenialView, RuleView } from "./protocol/rules-methods.ts";
export type { CommandFactView } from "./protocol/commands-methods.ts";
export type { SessionView } from "./protocol/sessions-methods.ts";
export type { BudgetView, UsageDayView, UsageView } from "./protocol/usage-methods.ts";
export type { RunCallView, RunQuestionView, RunSumView } from "./protocol/run-views.ts";
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
  type GrantView,
  type PolicyExplanation,
  type CallFieldView,
} from "./protocol/approval-views.ts";
export {
  accessRoles,
  type AccessRole,
  type AccessView,
  type WaitingDeviceView,
} from "./protocol/access-methods.ts";
export type { AgentView } from "./protocol/agents-methods.ts";
export {
  auditProblemKinds,
  type AuditPage,
  type AuditProblemKind,
  type AuditProblemView,
  type AuditRecordView,
  type AuditVerification,
} from "./protocol/audit-methods.ts";
export type {
  ChannelKeyView,
  ChannelKindView,
  ChannelTestView,
  ChannelView,
  PeerView,
} from "./protocol/channels-methods.ts";
export type { ChatHistoryView } from "./protocol/chat-methods.ts";
export type { ConfigChangeView, ConfigHistoryView, ConfigValueView } from "./protocol/config-methods.ts";
export type { GaugesView } from "./protocol/gauge-views.ts";
export type { HealthCheckView, HealthStatus, HealthView } from "./protocol/health-methods.ts";
export type { ReachAddress, ReachView } from "./protocol/reach-methods.ts";
export { logLevels, type LogLevel, type LogLineView } from "./protocol/logs-methods.ts";
export type { LoginPromptView, LoginStepView, LoginWaysView } from "./protocol/login-methods.ts";
export type { SentView } from "./protocol/send-methods.ts";
export {
  setupSteps,
  type FoundCredentialView,
  type FoundServerView,
  type SetupProblem,
  type SetupStep,
  type SetupStepView,
  type SetupTryView,
  type SetupView,
} from "./protocol/setup-methods.ts";
export type {
  ChangedPathView,
  TurnChangesView,
  TurnDiffView,
  UndoReportView,
} from "./protocol/undo-views.ts";
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
export type { NodeInvocation, NodeView } from "./protocol/nodes-methods.ts";
export type { PluginView } from "./protocol/plugins-methods.ts";
export { definePlugin, type Plugin, type PluginHost, type PluginKit } from "./plugin.ts";
