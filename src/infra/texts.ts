/**
 * Everything a person reads, in English and Chinese, side by side. One file per area under `texts/`;
 * a text that lacks a language does not compile. `{name}` in a text is filled from the parameters.
 */
import { approvalWordTexts } from "./texts/approval-words.ts";
import { approvalDeskTexts } from "./texts/approval-desk.ts";
import { authTexts } from "./texts/auth.ts";
import { backupTexts } from "./texts/backups.ts";
import { callTexts } from "./texts/calls.ts";
import { channelTexts } from "./texts/channels.ts";
import { commandTexts } from "./texts/commands.ts";
import { configTexts } from "./texts/config.ts";
import { contextTexts } from "./texts/context.ts";
import { conversationTexts } from "./texts/conversation.ts";
import { deskTexts } from "./texts/desks.ts";
import { embedderTexts } from "./texts/embedders.ts";
import { failureTexts } from "./texts/failures.ts";
import { gatewayTexts } from "./texts/gateway.ts";
import { generalTexts } from "./texts/general.ts";
import { maintenanceTexts } from "./texts/maintenance.ts";
import { memorySearchTexts } from "./texts/memory-search.ts";
import { memoryIndexTexts } from "./texts/memory-index.ts";
import { modelTexts } from "./texts/models.ts";
import { programTexts } from "./texts/programs.ts";
import { promptTexts } from "./texts/prompt.ts";
import { proveTexts } from "./texts/prove.ts";
import { routingTexts } from "./texts/routing.ts";
import { rulesTexts } from "./texts/rules.ts";
import { runningTexts } from "./texts/running.ts";
import { storageTexts } from "./texts/storage.ts";
import type { Language } from "./texts/table.ts";
import { tapeTexts } from "./texts/tape.ts";
import { turnTexts } from "./texts/turn.ts";
import { unconfirmedTexts } from "./texts/unconfirmed.ts";
import { undoTexts } from "./texts/undo.ts";
import { usageTexts } from "./texts/usage.ts";
import { viewTexts } from "./texts/view.ts";
import { wallTexts } from "./texts/walls.ts";

const table = {
  ...approvalDeskTexts,
  ...approvalWordTexts,
  ...authTexts,
  ...callTexts,
  ...channelTexts,
  ...commandTexts,
  ...configTexts,
  ...contextTexts,
  ...conversationTexts,
  ...deskTexts,
  ...embedderTexts,
  ...gatewayTexts,
  ...failureTexts,
  ...generalTexts,
  ...maintenanceTexts,
  ...memorySearchTexts,
  ...memoryIndexTexts,
  ...modelTexts,
  ...backupTexts,
  ...programTexts,
  ...promptTexts,
  ...proveTexts,
  ...routingTexts,
  ...rulesTexts,
  ...runningTexts,
  ...storageTexts,
  ...tapeTexts,
  ...turnTexts,
  ...unconfirmedTexts,
  ...undoTexts,
  ...usageTexts,
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
