/** A running gateway in a home, with what a bench asks of it. */
import type { InboundMessage } from "@pincer/sdk";
import { createGateway } from "../../src/app/create-gateway.ts";
import type { Gateway, GatewayExtras } from "../../src/app/gateway.ts";
import { connectGateway, type GatewayClient } from "../../src/client/gateway-client.ts";
import { createRedactor } from "../../src/infra/redactor.ts";
import { createSay } from "../../src/infra/texts.ts";
import type { ApprovalRecord } from "../../src/storage/approvals/approvals.ts";
import type { TenantStores } from "../../src/storage/storage.ts";
import type { Canaries } from "./canaries.ts";
import type { Effect } from "./case.ts";

export interface House {
  gateway: Gateway;
  stores: TenantStores;
  client: GatewayClient;
  /** All that there are, the oldest first. */
  questions(): Promise<ApprovalRecord[]>;
  close(): Promise<void>;
}

export interface HouseParts {
  home: string;
  canaries: Canaries;
  extras: GatewayExtras;
  record(effect: Effect): void;
  log: string[];
}

const approvalStates = ["pending", "approved", "spent", "denied", "expired", "withdrawn"] as const;

/** The caller closes it. */
export async function openHouse({ home, canaries, extras, record, log }: HouseParts): Promise<House> {
  let opened: TenantStores | undefined;
  const gateway = await createGateway(
    {
      environment: { ...process.env, PINCER_HOME: home, PLANTED_KEY: canaries.environment },
      redactor: createRedactor(),
      say: createSay("en"),
      notify: (line) => void log.push(`notice: ${line}`),
      tell: (line) => void log.push(`log: ${line}`),
      cwd: home,
      version: "bench",
    },
    {},
    { ...extras, wrapStores: (own) => (opened = recordSessions(own, record)) },
  );
  const stores = opened;
  const client = await connectGateway({
    socketPath: gateway.socket,
    clientName: "bench",
    version: "bench",
    timeoutMs: 10_000,
  });
  if (!client || !stores) throw new Error("the gateway does not answer");
  return {
    gateway,
    stores,
    client,
    questions: async () =>
      (await stores.approvals.list({ limit: 100, states: [...approvalStates] })).toReversed(),
    async close() {
      client.close();
      await gateway.stop(2000);
    },
  };
}

/** A message from one session to another counts as a message of Pincer itself. */
function recordSessions(stores: TenantStores, record: (effect: Effect) => void): TenantStores {
  const accept = (message: InboundMessage) => {
    const { sender, peer, message: content } = message;
    if (message.channel === "system" && sender.id.startsWith("session:") && content.type === "text")
      record({ type: "session", key: peer.id, text: content.text });
    return stores.inbox.accept(message);
  };
  return { ...stores, inbox: { ...stores.inbox, accept } };
}
