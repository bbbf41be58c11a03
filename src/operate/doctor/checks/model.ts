import type { Config } from "../../../config/schema.ts";
import { openCatalogue } from "../../../models/catalogue/open-catalogue.ts";
import { apis } from "../../../models/pi/load-api.ts";
import { defaultAgentOf } from "../../../config/default-agent.ts";
import type { ExaminedHome } from "../../../storage/home/examine-home.ts";
import { hasCredentialFor, lackOfUse } from "../../../agent/models/model-readiness.ts";
import type { Check, Finding } from "../check.ts";

/**
 * Whether the configured models are known, have a credential that was not just rejected, and every provider's format
 * is supported. Sends no request.
 */
export function checkModel({
  say,
  config,
  home,
  environment,
  clock,
  database,
  secrets,
}: ExaminedHome): Check {
  return {
    id: "model",
    title: say("doctor.model"),
    async check() {
      const { config: loaded } = await config();
      const catalogue = openCatalogue({
        homeRoot: home.root,
        config: () => loaded,
        onBroken: () => {},
        asker: { fetch: () => Promise.reject(new Error("nobody is asked")), clock },
      });
      const parts = { config: loaded, environment, database: await database(), box: secrets.box, say };
      const findings: Finding[] = unspoken(loaded).map(({ provider, api }) => ({
        level: "problem",
        message: say("doctor.model.no-format", { provider, api }),
        next: say("doctor.model.no-format.next", { formats: apis.join(", ") }),
        place: { file: home.configFile, key: `models.providers.${provider}.api` },
      }));
      for (const { key, reference, agentId } of configuredModels(loaded)) {
        if (reference === "stub" || reference.startsWith("stub/")) continue;
        const provider = reference.split("/", 1)[0] ?? "";
        const isKnown = reference.includes("/")
          ? await catalogue.find(reference)
          : catalogue.providerIds().includes(reference);
        const hasCredential = isKnown && (await hasCredentialFor(reference, agentId, parts));
        const errors = hasCredential ? await lackOfUse(reference, agentId, parts) : undefined;
        if (hasCredential && !errors) continue;
        const which = errors ? "refused" : isKnown ? "no-credential" : "unknown";
        const reason = [...new Set(errors)].join("; ");
        findings.push({
          level: "warning",
          message: say(`doctor.model.${which}`, { key, reference, provider, reason }),
          next: say(`doctor.model.${which}.next`, { key, provider }),
          place: { file: home.configFile, key },
        });
      }
      return findings.length > 0 ? findings : [{ level: "ok", message: say("doctor.model.ok") }];
    },
  };
}

function unspoken({ models }: Config): Array<{ provider: string; api: string }> {
  return Object.entries(models.providers).flatMap(([provider, { api }]) =>
    api === undefined || apis.includes(api) ? [] : [{ provider, api }],
  );
}

/** As the keys that name them; the agents of the list say theirs in two spellings. */
function configuredModels(config: Config): Array<{ key: string; reference: string; agentId: string }> {
  const { agents } = config;
  const { primary, fallbacks } = agents.defaults.model;
  const own = agents.list.flatMap(({ id: agentId, model }, index) => {
    const reference = typeof model === "string" ? model : model?.primary;
    const key = `agents.list[${index}].model${typeof model === "string" ? "" : ".primary"}`;
    return reference === undefined ? [] : [{ key, reference, agentId }];
  });
  const agentId = defaultAgentOf(config);
  return [
    ...(primary === undefined ? [] : [{ key: "agents.defaults.model.primary", reference: primary, agentId }]),
    ...fallbacks.map((reference, index) => ({
      key: `agents.defaults.model.fallbacks[${index}]`,
      reference,
      agentId,
    })),
    ...own,
  ];
}
