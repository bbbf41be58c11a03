/** Whether a model that the config names could be asked now: told without asking anybody. */
import type { Config } from "../../config/schema.ts";
import { isKeyless } from "../../models/catalogue/vendors/vendors.ts";
import { findSources } from "../../models/credentials/credential-sources.ts";
import type { DatabaseState } from "../home/examine-home.ts";

export interface ReadinessParts {
  config: Config;
  environment: Readonly<Record<string, string | undefined>>;
  database: DatabaseState;
}

/** Whether there is a credential for its provider, or none is needed. Throws what the storage does. */
export async function hasCredentialFor(
  reference: string,
  agentId: string,
  { config, environment, database }: ReadinessParts,
): Promise<boolean> {
  const provider = reference.split("/", 1)[0] ?? "";
  const store = database.type === "open" ? database.tenant.credentials : undefined;
  const { order } = findSources({
    provider,
    agentId,
    records: (await store?.list()) ?? [],
    orders: { own: (await store?.orders(agentId)) ?? {}, shared: (await store?.orders(null)) ?? {} },
    settings: config,
    environment,
    isKeyless: isKeyless(provider),
  });
  return order.length > 0;
}
