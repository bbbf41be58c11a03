import type { Config } from "../../../config/schema.ts";
import { findModel } from "../../../models/choose-model.ts";
import { createStubModel } from "../../../models/stub-model.ts";
import type { Check } from "../check.ts";
import type { ExaminedHome } from "../../home/examine-home.ts";

/** Whether the model that the config names can be reached; where it cannot, the stub answers in its place. */
export function checkModel({ say, config, home }: ExaminedHome): Check {
  const available = [createStubModel(say)];
  return {
    id: "model",
    title: say("doctor.model"),
    async check() {
      const wanted = configuredModels((await config()).config);
      const away = wanted.filter(({ reference }) => !findModel(reference, available));
      if (away.length === 0) return [{ level: "ok", message: say("doctor.model.ok") }];
      return away.map(({ key, reference }) => ({
        level: "warning" as const,
        message: say("doctor.model.away", { key, reference }),
        next: say("doctor.model.next", { key }),
        place: { file: home.configFile, key },
      }));
    },
  };
}

/** As the keys that name them; the agents of the list say theirs in two spellings. */
function configuredModels({ agents }: Config): Array<{ key: string; reference: string }> {
  const { primary } = agents.defaults.model;
  const own = agents.list.flatMap(({ model }, index) => {
    const reference = typeof model === "string" ? model : model?.primary;
    const key = `agents.list[${index}].model${typeof model === "string" ? "" : ".primary"}`;
    return reference === undefined ? [] : [{ key, reference }];
  });
  return [
    ...(primary === undefined ? [] : [{ key: "agents.defaults.model.primary", reference: primary }]),
    ...own,
  ];
}
