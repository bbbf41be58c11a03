export { createHandClock, type HandClock } from "./hand-clock.ts";
export { createPlainMemoryStore } from "./plain-memory-store.ts";
export { createScriptedModel, type ScriptedModel, type ScriptedStep } from "./scripted-model.ts";
export type { ChannelFault } from "./recording-channel-faults.ts";
export { createRecordingHost, type RecordingHost } from "./recording-channel-host.ts";
export {
  createRecordingChannel,
  type Acknowledgement,
  type LedgerItem,
  type RecordingChannel,
} from "./recording-channel.ts";
