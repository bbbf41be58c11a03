/**
 * Everything a person reads, in English and Chinese, side by side. One file per area under `texts/`;
 * a text that lacks a language does not compile. `{name}` in a text is filled from the parameters.
 */
import { accessTexts } from "./texts/access.ts";
import { approvalWordTexts } from "./texts/approval-words.ts";
import { approvalDeskTexts } from "./texts/approval-desk.ts";
import { auditTexts } from "./texts/audit.ts";
import { authTexts } from "./texts/auth.ts";
import { backupTexts } from "./texts/backups.ts";
import { callTexts } from "./texts/calls.ts";
import { callerTexts } from "./texts/callers.ts";
import { channelSetupTexts } from "./texts/channel-setup.ts";
import { channelTexts } from "./texts/channels.ts";
import { commandTexts } from "./texts/commands.ts";
import { configTexts } from "./texts/config.ts";
import { contextTexts } from "./texts/context.ts";
import { controlTexts } from "./texts/control.ts";
import { conversationTexts } from "./texts/conversation.ts";
import { deskTexts } from "./texts/desks.ts";
import { doctorTexts } from "./texts/doctor.ts";
import { embedderTexts } from "./texts/embedders.ts";
import { failureTexts } from "./texts/failures.ts";
import { gatewayTexts } from "./texts/gateway.ts";
import { gaugeTexts } from "./texts/gauges.ts";
import { generalTexts } from "./texts/general.ts";
import { maintenanceTexts } from "./texts/maintenance.ts";
import { memorySearchTexts } from "./texts/memory-search.ts";
import { memoryIndexTexts } from "./texts/memory-index.ts";
import { modelTexts } from "./texts/models.ts";
import { nodesTexts } from "./texts/nodes.ts";
import { pluginsTexts } from "./texts/plugins.ts";
import { onboardTexts } from "./texts/onboard.ts";
import { openAiTexts } from "./texts/openai.ts";
import { programTexts } from "./texts/programs.ts";
import { promptTexts } from "./texts/prompt.ts";
import { proveTexts } from "./texts/prove.ts";
import { reachTexts } from "./texts/reach.ts";
import { routingTexts } from "./texts/routing.ts";
import { rulesTexts } from "./texts/rules.ts";
import { runningTexts } from "./texts/running.ts";
import { serviceTexts } from "./texts/service.ts";
import { sessionNameTexts } from "./texts/session-names.ts";
import { setupTexts } from "./texts/setup.ts";
import { signInTexts } from "./texts/sign-in.ts";
import { storageTexts } from "./texts/storage.ts";
import type { Language } from "./texts/table.ts";
import { tapeTexts } from "./texts/tape.ts";
import { turnTexts } from "./texts/turn.ts";
import { unconfirmedTexts } from "./texts/unconfirmed.ts";
import { undoTexts } from "./texts/undo.ts";
import { usageTexts } from "./texts/usage.ts";
import { usageErrorTexts } from "./texts/usage-errors.ts";
import { viewTexts } from "./texts/view.ts";
import { wallTexts } from "./texts/walls.ts";

const table = {
  ...accessTexts,
  ...approvalDeskTexts,
  ...approvalWordTexts,
  ...auditTexts,
  ...authTexts,
  ...callTexts,
  ...callerTexts,
  ...channelSetupTexts,
  ...channelTexts,
  ...commandTexts,
  ...configTexts,
  ...contextTexts,
  ...controlTexts,
  ...conversationTexts,
  ...deskTexts,
  ...doctorTexts,
  ...embedderTexts,
  ...gatewayTexts,
  ...gaugeTexts,
  ...failureTexts,
  ...generalTexts,
  ...maintenanceTexts,
  ...memorySearchTexts,
  ...memoryIndexTexts,
  ...modelTexts,
  ...nodesTexts,
  ...pluginsTexts,
  ...backupTexts,
  ...onboardTexts,
  ...openAiTexts,
  ...programTexts,
  ...promptTexts,
  ...proveTexts,
  ...reachTexts,
  ...routingTexts,
  ...rulesTexts,
  ...runningTexts,
  ...serviceTexts,
  ...sessionNameTexts,
  ...setupTexts,
  ...signInTexts,
  ...storageTexts,
  ...tapeTexts,
  ...turnTexts,
  ...unconfirmedTexts,
  ...undoTexts,
  ...usageTexts,
  ...usageErrorTexts,
  ...viewTexts,
  ...wallTexts,
};

export type TextKey = keyof typeof table;

/** Says a text in the language it was made for. */
export type Say = (key: TextKey, parameters?: Record<string, string | number>) => string;

export function createSay(language: Language): Say {
  return (key, parameters = {}) =>
    table[key][language].replace(/\{(\w+)\}/g, (whole, name: string) => {
      const value = parameters[name];
      return value === undefined ? whole : String(value);
    });
}
