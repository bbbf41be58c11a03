/** Whether a model that the config names could be asked now: told without asking anybody. */
import type { Config } from "../../config/schema.ts";
import { isKeyless } from "../../models/catalogue/vendors/vendors.ts";
import { findSources, type CredentialSource } from "../../models/credentials/credential-sources.ts";
import { formatCredentialKey } from "../../storage/credential-key.ts";
import type { DatabaseState } from "../home/examine-home.ts";

export interface ReadinessParts {
  config: Config;
  environment: Readonly<Record<string, string | undefined>>;
  database: DatabaseState;
}

/** Whether there is a credential for its provider, or none is needed. Throws what the storage does. */
export const hasCredentialFor = async (
  reference: string,
  agentId: string,
  parts: ReadinessParts,
): Promise<boolean> => (await credentialsFor(reference, agentId, parts)).length > 0;

/** What each failed with last; undefined where at least one has not failed since it was stored or last worked. Throws likewise. */
export async function lastErrorsOf(
  reference: string,
  agentId: string,
  parts: ReadinessParts,
): Promise<string[] | undefined> {
  const { database } = parts;
  if (database.type !== "open") return undefined;
  const uses = await database.tenant.credentials.uses();
  const errors = (await credentialsFor(reference, agentId, parts)).map(
    (source) => uses.get(formatCredentialKey(source))?.lastError ?? undefined,
  );
  const failed = errors.filter((error) => error !== undefined);
  return failed.length > 0 && failed.length === errors.length ? failed : undefined;
}

/** Those that are tried. */
async function credentialsFor(
  reference: string,
  agentId: string,
  { config, environment, database }: ReadinessParts,
): Promise<CredentialSource[]> {
  const provider = reference.split("/", 1)[0] ?? "";
  const store = database.type === "open" ? database.tenant.credentials : undefined;
  const { sources, order } = findSources({
    provider,
    agentId,
    records: (await store?.list()) ?? [],
    orders: { own: (await store?.orders(agentId)) ?? {}, shared: (await store?.orders(null)) ?? {} },
    settings: config,
    environment,
    isKeyless: isKeyless(provider),
  });
  return sources.filter(({ id }) => order.includes(id));
}
