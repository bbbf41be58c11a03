/** All areas together. */
import { accessTexts } from "./access.ts";
import { approvalWordTexts } from "./approval-words.ts";
import { gateReasonTexts } from "./gate-reasons.ts";
import { changesTexts } from "./changes.ts";
import { dryRunTexts } from "./dry-run.ts";
import { grantedTexts } from "./granted.ts";
import { approvalDeskTexts } from "./approval-answers.ts";
import { auditTexts } from "./audit.ts";
import { authTexts } from "./auth.ts";
import { backupTexts } from "./backups.ts";
import { callTexts } from "./calls.ts";
import { callerTexts } from "./callers.ts";
import { channelSetupTexts } from "./channel-setup.ts";
import { channelTexts } from "./channels.ts";
import { commandTexts } from "./commands.ts";
import { configTexts } from "./config.ts";
import { contextTexts } from "./context.ts";
import { controlTexts } from "./control.ts";
import { conversationTexts } from "./conversation.ts";
import { deskTexts } from "./api-options.ts";
import { doctorTexts } from "./doctor.ts";
import { embedderTexts } from "./embedders.ts";
import { failureTexts } from "./failures.ts";
import { gatewayTexts } from "./gateway.ts";
import { gaugeTexts } from "./gauges.ts";
import { generalTexts } from "./general.ts";
import { labelTexts } from "./labels.ts";
import { maintenanceTexts } from "./maintenance.ts";
import { memorySearchTexts } from "./memory-search.ts";
import { memoryIndexTexts } from "./memory-index.ts";
import { modelTexts } from "./models.ts";
import { nodesTexts } from "./nodes.ts";
import { pluginsTexts } from "./plugins.ts";
import { onboardTexts } from "./onboard.ts";
import { openAiTexts } from "./openai.ts";
import { programTexts } from "./programs.ts";
import { promptTexts } from "./prompt.ts";
import { proveTexts } from "./prove.ts";
import { reachTexts } from "./reach.ts";
import { routingTexts } from "./routing.ts";
import { rulesTexts } from "./rules.ts";
import { runningTexts } from "./running.ts";
import { serviceTexts } from "./service.ts";
import { sessionNameTexts } from "./session-names.ts";
import { setupTexts } from "./setup.ts";
import { signInTexts } from "./sign-in.ts";
import { storageTexts } from "./storage.ts";
import { tapeTexts } from "./tape.ts";
import { turnTexts } from "./turn.ts";
import { unconfirmedTexts } from "./unconfirmed.ts";
import { undoTexts } from "./undo.ts";
import { usageTexts } from "./usage.ts";
import { usageErrorTexts } from "./usage-errors.ts";
import { viewTexts } from "./view.ts";
import { wallTexts } from "./walls.ts";

/** Every text, in every language. */
export const allTexts = {
  ...accessTexts,
  ...approvalDeskTexts,
  ...approvalWordTexts,
  ...gateReasonTexts,
  ...changesTexts,
  ...dryRunTexts,
  ...grantedTexts,
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
  ...labelTexts,
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
