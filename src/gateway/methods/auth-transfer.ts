/** Imports and exports credentials. A file is read completely before anything changes. */
import { stat } from "node:fs/promises";
import { dirname } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { readRegularFile } from "../../config/read-regular-file.ts";
import { createPrivateFile, replacePrivateFile } from "../../config/write-private-file.ts";
import { failure } from "../../infra/failure.ts";
import {
  readAuthProfiles,
  writeAuthProfiles,
  type CarriedCredential,
  type CarriedCredentials,
  type SkippedCredential,
} from "../../models/credentials/auth-profiles-file.ts";
import { expiryOf, hideSecret, sealName, unsealSecret } from "../../storage/credentials/credential-secret.ts";
import { foreignPrograms } from "../../models/credentials/foreign-logins.ts";
import type { OAuthFlows } from "../../models/credentials/oauth-flows.ts";
import type { CredentialRecord } from "../../storage/credentials/credentials.ts";
import type { StoredCredentials, StoredCredentialsParts } from "./stored-credentials.ts";
import type { Api } from "./api.ts";

export function createAuthTransfer(
  parts: StoredCredentialsParts & {
    logins: Pick<OAuthFlows, "has">;
    /** Throws `config/not-found`. */
    requireAgent(agentId: string | null): Promise<void>;
  },
  credentials: StoredCredentials,
): Pick<Api<"auth">, "import" | "export"> {
  const { store, secrets, tenantId } = parts;
  const open = (record: CredentialRecord) =>
    unsealSecret(secrets.box, sealName(tenantId, record), record.sealed);

  /** Whether what is here gives way: to a login that is newer, to another secret only when asked. */
  async function givesWay(
    present: CredentialRecord,
    carried: CarriedCredential,
    force: boolean,
  ): Promise<boolean> {
    const own = await open(present);
    const isSame = present.type === carried.type;
    if (isSame && isDeepStrictEqual(own, carried.secret)) return false;
    if (force) return true;
    return isSame && carried.type === "oauth" && (expiryOf(carried.secret) ?? 0) > (expiryOf(own) ?? 0);
  }

  return {
    async import({ from, file, force = false, agentId = null }) {
      await parts.requireAgent(agentId);
      const text = await readFile(file);
      const carried = read(from, text, file, parts.logins.has);
      for (const { id, secret } of carried.credentials) hideSecret(parts.redactor, id, secret);
      const [login] = carried.credentials;
      if (from !== "file" && login && !force && (await hasKey(credentials, login.provider, agentId)))
        return { imported: [], kept: [], skipped: [], hasKey: login.provider };

      for (const { id, provider } of carried.credentials)
        await credentials.requireFree({ id, agentId, provider });
      const orders = await store.orders(agentId);
      const imported: string[] = [];
      const kept: string[] = [];
      for (const credential of carried.credentials) {
        const { id, provider, use } = credential;
        const present = await store.get({ agentId, id });
        if (present && !(await givesWay(present, credential, force))) {
          kept.push(id);
          continue;
        }
        await credentials.put({ ...credential, agentId, source: from === "file" ? "import" : from });
        await store.noteUse({ agentId, id, provider }, () => use);
        imported.push(id);
      }
      for (const [provider, ids] of Object.entries(carried.order))
        if (force || orders[provider] === undefined) await store.setOrder(agentId, provider, ids);
      return { imported, kept, skipped: carried.skipped };
    },

    async export({ file, force = false, agentId = null }) {
      await parts.requireAgent(agentId);
      await requireDirectory(file);
      const all = await store.list();
      const records = all.filter((record) => record.agentId === agentId);
      const credentials: CarriedCredential[] = [];
      for (const record of records) {
        const { id, provider, type, use } = record;
        credentials.push({ id, provider, type, use, secret: await open(record) });
      }
      const order = await store.orders(agentId);
      const text = writeAuthProfiles({ credentials, order }, await store.lastGood(agentId));
      await write(file, text, force);
      const leftOut = agentId === null ? all.length - records.length : 0;
      return { file, credentials: credentials.length, leftOut };
    },
  };
}

function read(
  from: "file" | keyof typeof foreignPrograms,
  text: string,
  file: string,
  hasLogin: (provider: string) => boolean,
): CarriedCredentials & { skipped: SkippedCredential[] } {
  if (from === "file") return readAuthProfiles(text, file, hasLogin);
  return { credentials: [foreignPrograms[from].read(text, file)], order: {}, skipped: [] };
}

/** AUTH-12: a person with their own key needs no login of another program. */
async function hasKey(
  credentials: StoredCredentials,
  provider: string,
  agentId: string | null,
): Promise<boolean> {
  const { sources } = await credentials.of(provider, agentId);
  return sources.some(
    (source) =>
      (source.type === "stored" && source.record.type === "api_key") ||
      (source.type === "config" && source.mode === "api_key"),
  );
}

async function readFile(file: string): Promise<string> {
  try {
    return await readRegularFile(file);
  } catch (error) {
    const reason = (error as Error).message;
    throw failure("usage/not-found", "failure.file-unreadable", { path: file, reason }, { cause: error });
  }
}

/** A directory is not made out of what may be mistyped. */
async function requireDirectory(file: string): Promise<void> {
  const directory = dirname(file);
  const isDirectory = await stat(directory).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (isDirectory) return;
  throw failure(
    "usage/bad-argument",
    "auth.export.no-directory",
    { directory },
    { hint: "auth.export.no-directory.hint" },
  );
}

async function write(file: string, text: string, force: boolean): Promise<void> {
  try {
    if (force) return await replacePrivateFile(file, text);
    if (await createPrivateFile(file, text)) return;
  } catch (error) {
    const reason = (error as Error).message;
    throw failure("usage/bad-argument", "failure.file", { file, reason }, { cause: error });
  }
  throw failure("usage/bad-argument", "auth.export.exists", { file }, { hint: "auth.export.exists.hint" });
}
