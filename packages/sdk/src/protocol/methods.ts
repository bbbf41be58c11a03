/**
 * The table of all methods of a gateway, one file for each family. A method with an effect takes an `idempotencyKey`:
 * requests with the same key and the same parameters are executed once and get the same answer.
 */
import type { Static } from "typebox";
import { accessMethods } from "./access-methods.ts";
import { agentsMethods } from "./agents-methods.ts";
import { approvalsMethods } from "./approvals-methods.ts";
import { auditMethods } from "./audit-methods.ts";
import { authMethods } from "./auth-methods.ts";
import { channelsMethods } from "./channels-methods.ts";
import { chatMethods } from "./chat-methods.ts";
import { commandsMethods } from "./commands-methods.ts";
import { configMethods } from "./config-methods.ts";
import { gatewayMethods } from "./gateway-methods.ts";
import { healthMethods } from "./health-methods.ts";
import { labelsMethods } from "./labels-methods.ts";
import { loginMethods } from "./login-methods.ts";
import { logsMethods } from "./logs-methods.ts";
import { memoryMethods } from "./memory-methods.ts";
import { modelsMethods } from "./models-methods.ts";
import { nodesMethods } from "./nodes-methods.ts";
import { noticesMethods } from "./notices-methods.ts";
import { outboxMethods } from "./outbox-methods.ts";
import { pairingMethods } from "./pairing-methods.ts";
import { pluginsMethods } from "./plugins-methods.ts";
import { reachMethods } from "./reach-methods.ts";
import { rulesMethods } from "./rules-methods.ts";
import { runsMethods } from "./runs-methods.ts";
import { sendMethods } from "./send-methods.ts";
import { sessionsMethods } from "./sessions-methods.ts";
import { setupMethods } from "./setup-methods.ts";
import { tapeMethods } from "./tape-methods.ts";
import { toolsMethods } from "./tools-methods.ts";
import { undoMethods } from "./undo-methods.ts";
import { upkeepMethods } from "./upkeep-methods.ts";
import { usageMethods } from "./usage-methods.ts";
import type { Answer, Method } from "./method.ts";

export const methods = {
  ...gatewayMethods,
  ...runsMethods,
  ...toolsMethods,
  ...sessionsMethods,
  ...tapeMethods,
  ...upkeepMethods,
  ...pairingMethods,
  ...outboxMethods,
  ...modelsMethods,
  ...authMethods,
  ...usageMethods,
  ...noticesMethods,
  ...rulesMethods,
  ...approvalsMethods,
  ...labelsMethods,
  ...commandsMethods,
  ...undoMethods,
  ...memoryMethods,
  ...accessMethods,
  ...agentsMethods,
  ...auditMethods,
  ...channelsMethods,
  ...chatMethods,
  ...configMethods,
  ...healthMethods,
  ...loginMethods,
  ...logsMethods,
  ...nodesMethods,
  ...pluginsMethods,
  ...reachMethods,
  ...sendMethods,
  ...setupMethods,
} satisfies Record<string, Method>;

export type MethodName = keyof typeof methods;
export type MethodParams<Name extends MethodName> = Static<(typeof methods)[Name]["params"]>;

/** What a gateway answers: plain JSON, with no more of its stores than callers need. */
export type MethodResults = {
  [Name in MethodName]: (typeof methods)[Name]["result"] extends Answer<infer Result> ? Result : never;
};

/** The methods of one family by their verb: `FamilyOf<"outbox">` has `list`, `get`, `retry` and `drop`. */
export type FamilyOf<Family extends string> = {
  [Name in MethodName as Name extends `${Family}.${infer Verb}` ? Verb : never]: Name;
};
