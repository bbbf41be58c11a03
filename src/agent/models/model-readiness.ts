/** Whether a configured model could be used now, without calling it. */
import { asPincerError, type PincerError } from "@pincer/sdk";
import type { Config } from "../../config/schema.ts";
import type { SecretBox } from "../../config/secret-box.ts";
import { sayError } from "../../infra/failure.ts";
import type { Say } from "../../infra/texts.ts";
import { isKeyless } from "../../models/catalogue/vendors/vendors.ts";
import { sealName, unsealSecret } from "../../storage/credentials/credential-secret.ts";
import { findSources, type CredentialSource } from "../../models/credentials/credential-sources.ts";
import { formatCredentialKey } from "../../storage/credentials/credential-key.ts";
import type { CredentialRecord } from "../../storage/credentials/credentials.ts";
import { personalTenant } from "../../storage/home/open-home.ts";
import type { DatabaseState } from "../../storage/home/examine-home.ts";

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

/** Why none of them is of use: what each failed with last, or that it cannot be opened. undefined where at least one may be. Throws likewise. */
export async function lackOfUse(
  reference: string,
  agentId: string,
  parts: ReadinessParts & { box: SecretBox; say: Say },
): Promise<string[] | undefined> {
  const { database, box, say } = parts;
  if (database.type !== "open") return undefined;
  const uses = await database.tenant.credentials.uses();
  const errorOf = async (source: CredentialSource): Promise<string | undefined> => {
    const locked = source.type === "stored" ? await whyLocked(source.record, box) : undefined;
    if (locked) return sayError(locked, say).message;
    return uses.get(formatCredentialKey(source))?.lastError ?? undefined;
  };
  const errors = await Promise.all((await credentialsFor(reference, agentId, parts)).map(errorOf));
  const failed = errors.filter((error) => error !== undefined);
  return failed.length > 0 && failed.length === errors.length ? failed : undefined;
}

/** undefined where it can be opened. */
export const whyLocked = (record: CredentialRecord, box: SecretBox): Promise<PincerError | undefined> =>
  unsealSecret(box, sealName(personalTenant.tenantId, record), record.sealed).then(
    () => undefined,
    (error: unknown) => asPincerError(error),
  );

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
