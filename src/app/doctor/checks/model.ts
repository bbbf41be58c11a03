import type { Config } from "../../../config/schema.ts";
import { openCatalogue } from "../../../models/catalogue/open-catalogue.ts";
import type { ExaminedHome } from "../../home/examine-home.ts";
import { hasCredentialFor } from "../../models/model-readiness.ts";
import type { Check, Finding } from "../check.ts";

/** Whether the models that the config names are known, and whether there is a credential to ask them with. Nobody is asked. */
export function checkModel({ say, config, home, environment, clock, database }: ExaminedHome): Check {
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
      const parts = { config: loaded, environment, database: await database() };
      const findings: Finding[] = [];
      for (const { key, reference, agentId } of configuredModels(loaded)) {
        if (reference === "stub" || reference.startsWith("stub/")) continue;
        const provider = reference.split("/", 1)[0] ?? "";
        const isKnown = reference.includes("/")
          ? await catalogue.find(reference)
          : catalogue.providerIds().includes(reference);
        const isReady = isKnown && (await hasCredentialFor(reference, agentId, parts));
        if (isReady) continue;
        const which = isKnown ? "no-credential" : "unknown";
        findings.push({
          level: "warning",
          message: say(`doctor.model.${which}`, { key, reference, provider }),
          next: say(`doctor.model.${which}.next`, { key, provider }),
          place: { file: home.configFile, key },
        });
      }
      return findings.length > 0 ? findings : [{ level: "ok", message: say("doctor.model.ok") }];
    },
  };
}

/** As the keys that name them; the agents of the list say theirs in two spellings. */
function configuredModels({ agents }: Config): Array<{ key: string; reference: string; agentId: string }> {
  const { primary, fallbacks } = agents.defaults.model;
  const own = agents.list.flatMap(({ id: agentId, model }, index) => {
    const reference = typeof model === "string" ? model : model?.primary;
    const key = `agents.list[${index}].model${typeof model === "string" ? "" : ".primary"}`;
    return reference === undefined ? [] : [{ key, reference, agentId }];
  });
  const agentId = agents.list.find((agent) => agent.default)?.id ?? "main";
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
