/** What a running gateway answers over its own stores: every API, the state of the home, the doctor and backups. */
import { methods } from "@pincer/sdk";
import type { DescribeContext } from "../agent/context/context-description.ts";
import type { Effects } from "../agent/effects/effects.ts";
import type { LazyModels } from "../agent/models/connected-models.ts";
import type { Config } from "../config/schema.ts";
import type { MethodHandlers } from "../gateway/method-calls.ts";
import { createHomeMethods, type HomeMethodParts } from "../operate/home-methods.ts";
import { createLocalApis, type ApiChanges, type LocalApiParts, type LocalApis } from "./local-apis.ts";

export interface GatewayMethodParts extends HomeMethodParts {
  /** As it is now. */
  config(): Config;
  onChange: ApiChanges;
  connected: Pick<LazyModels, "room">;
  describeContext?: DescribeContext;
  answerApproval?: LocalApiParts["answerApproval"];
  explainCall?: LocalApiParts["explainCall"];
  /** How browsers are signed in; left out where no page is served. */
  signIn?: LocalApiParts["signIn"];
  memory: LocalApiParts["memory"];
  effects: Pick<Effects, "wall" | "snapshots">;
  labels?: LocalApiParts["labels"];
}

export function apiMethods(gateway: GatewayMethodParts): Partial<MethodHandlers> {
  const { openedHome, parts, config, onChange, connected } = gateway;
  const { describeContext, memory, answerApproval, explainCall } = gateway;
  const apis = createLocalApis({
    ...parts,
    openedHome,
    config,
    onChange,
    connected,
    ...(describeContext ? { describeContext } : {}),
    ...(answerApproval ? { answerApproval } : {}),
    signIn: gateway.signIn,
    ...(explainCall ? { explainCall } : {}),
    memory,
    snapshots: gateway.effects.snapshots,
    labels: gateway.labels,
    running: {
      reload: gateway.reload,
      wake: onChange.outbox,
      channels: () => gateway.live().channels,
      ...gateway.running,
    },
  });

  return {
    ...apiHandlers(apis),
    ...createHomeMethods(gateway),
  };
}

/** A handler for every method of the protocol whose family is among these APIs. */
export function apiHandlers(apis: LocalApis): Partial<MethodHandlers> {
  const handlers: Record<string, unknown> = {};
  for (const name of Object.keys(methods)) {
    const [family = "", verb = ""] = name.split(".");
    if (!Object.hasOwn(apis, family)) continue;
    const api = apis[family as keyof LocalApis] as unknown as Record<string, unknown>;
    handlers[name] = api[verb];
  }
  return handlers as Partial<MethodHandlers>;
}
