/**
 * Finds what could connect a model on this machine: keys in the environment, logins of other programs, servers on
 * loopback. Finding changes nothing; secrets stay inside the process.
 */
import type { FoundCredentialView, FoundServerView } from "@pincer/sdk";
import { readRegularFile } from "../../config/read-regular-file.ts";
import type { Clock } from "../../infra/clock.ts";
import type { Redactor } from "../../infra/redactor.ts";
import type { Say } from "../../infra/texts.ts";
import type { Catalogue } from "../../models/catalogue/catalogue.ts";
import { fetchJson } from "../../models/catalogue/fetch-json.ts";
import { readModelList } from "../../models/catalogue/read-model-list.ts";
import { findVendor } from "../../models/catalogue/vendors/vendors.ts";
import {
  expiryOf,
  hideSecret,
  textIn,
  type CredentialSecret,
} from "../../storage/credentials/credential-secret.ts";
import { foreignPrograms } from "../../models/credentials/foreign-logins.ts";
import { referenceOf } from "../../models/model-record.ts";
import type { CredentialRecord, CredentialType } from "../../storage/credentials/credentials.ts";
import {
  environmentOffers,
  foreignLoginFile,
  foreignProgramNames,
} from "../../gateway/methods/auth-login.ts";

type Environment = Readonly<Record<string, string | undefined>>;

export interface FoundCredential {
  view: FoundCredentialView;
  /** The form in which it is stored if accepted. */
  credential: {
    id: string;
    provider: string;
    type: CredentialType;
    secret: CredentialSecret;
    source: string;
  };
}

export interface OfferParts {
  environment: Environment;
  redactor: Redactor;
  clock: Clock;
  catalogue: Pick<Catalogue, "providers" | "list" | "firstOf">;
  fetch: typeof globalThis.fetch;
}

/** In the order of offers: a key in the environment, then logins of other programs. */
export async function findCredentials(
  parts: OfferParts,
  stored: readonly CredentialRecord[],
  say: Say,
): Promise<FoundCredential[]> {
  const { environment, redactor, clock, catalogue } = parts;
  const keys = environmentOffers(environment, redactor).map((offer) => ({
    source: "environment" as const,
    where: offer.variable,
    kind: offer.type === "token" ? ("login" as const) : ("key" as const),
    credential: { ...offer, source: "environment" },
  }));
  const logins = await Promise.all(foreignProgramNames.map((program) => readLogin(program, environment)));
  for (const login of logins.flat()) hideSecret(redactor, login.credential.id, login.credential.secret);
  const names = new Map((await catalogue.providers()).map(({ id, name }) => [id, name]));
  return Promise.all(
    [...keys, ...logins.flat()].map(async ({ source, where, kind, credential }): Promise<FoundCredential> => {
      const { id, provider, type, secret } = credential;
      const usual = await catalogue.firstOf(provider);
      return {
        credential: { id, provider, type, secret, source: credential.source },
        view: {
          id: `${source}:${id}`,
          source,
          provider,
          providerName: names.get(provider) ?? provider,
          kind,
          where,
          model: usual ? referenceOf(usual) : null,
          taken: stored.some((record) => record.id === id && record.provider === provider),
          expired: isOver(secret, clock.now()),
          caution: source === "environment" ? null : say("auth.import.warning"),
        },
      };
    }),
  );
}

/** Those of the known ones that answer at their usual place, and an Ollama where OLLAMA_HOST says it is. */
export async function findServers(parts: OfferParts): Promise<FoundServerView[]> {
  const { catalogue } = parts;
  const answering = (await catalogue.providers()).filter(({ local }) => local);
  const usual = await Promise.all(
    answering.map(async ({ id, name, baseUrl }): Promise<FoundServerView> => {
      const models = await catalogue.list({ provider: id });
      return serverView(id, name, baseUrl ?? findVendor(id)?.baseUrl ?? "", models);
    }),
  );
  const own = usual.some(({ provider }) => provider === "ollama") ? undefined : await findOllama(parts);
  return [...usual, ...(own ? [own] : [])];
}

const serverPatienceMs = 500;

async function findOllama({ environment, fetch, clock }: OfferParts): Promise<FoundServerView | undefined> {
  const origin = ollamaOrigin(environment["OLLAMA_HOST"]);
  if (origin === undefined) return undefined;
  const answer = await fetchJson({ fetch, clock }, `${origin}/api/tags`, { withinMs: serverPatienceMs });
  const models = answer.ok ? readModelList(answer.value) : undefined;
  return models && serverView("ollama", findVendor("ollama")?.name ?? "Ollama", `${origin}/v1`, models);
}

/**
 * Parses the variable as Ollama does: a port, a host or a whole address. Only local addresses: no other host is
 * contacted unasked.
 */
export function ollamaOrigin(given: string | undefined): string | undefined {
  const text = given?.trim() ?? "";
  if (text === "") return undefined;
  const url = URL.parse(
    /^https?:\/\//.test(text) ? text : `http://${text.startsWith(":") ? `127.0.0.1${text}` : text}`,
  );
  if (!url) return undefined;
  const host = url.hostname === "0.0.0.0" ? "127.0.0.1" : url.hostname;
  if (!/^(127(\.\d+){3}|localhost|\[::1\])$/.test(host)) return undefined;
  return `${url.protocol}//${host}:${url.port || "11434"}`;
}

const mostModels = 200;

const serverView = (
  provider: string,
  providerName: string,
  baseUrl: string,
  models: ReadonlyArray<{ id: string; name?: string | undefined }>,
): FoundServerView => ({
  id: `server:${provider}`,
  provider,
  providerName,
  baseUrl,
  models: models.slice(0, mostModels).map(({ id, name }) => ({ id, name: name ?? id })),
});

/** None where the program is not there, has no login, or keeps it in another form now. */
async function readLogin(program: keyof typeof foreignPrograms, environment: Environment) {
  const file = foreignLoginFile(program, environment);
  try {
    const { id, provider, type, secret } = foreignPrograms[program].read(await readRegularFile(file), file);
    const credential = { id, provider, type, secret, source: program };
    return [{ source: program, where: file, kind: "login" as const, credential }];
  } catch {
    return [];
  }
}

/** What can be renewed is renewed when it is used. */
function isOver(secret: CredentialSecret, now: number): boolean {
  const expires = expiryOf(secret);
  return expires !== undefined && expires <= now && textIn(secret, "refresh") === "";
}
