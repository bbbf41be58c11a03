import { describe, expect, it } from "vitest";
import { defaultConfig } from "../../config/default-config.ts";
import { isProviderName, providerNames } from "./provider-names.ts";

const naming = (...names: string[]) => ({
  models: {
    ...defaultConfig.models,
    providers: Object.fromEntries(names.map((name) => [name, { models: [] }])),
  },
});

describe("the names of providers", () => {
  it("are those that are built in or brought along, and those of the config, each once", () => {
    const names = providerNames(naming("mine", "openai"));
    expect(names).toEqual(expect.arrayContaining(["openai", "ollama", "stub", "mine"]));
    expect(new Set(names).size).toBe(names.length);
  });

  it("are known one by one as they are all together, and follow the config", () => {
    const config = naming("mine");
    for (const name of providerNames(config)) expect(isProviderName(name, config)).toBe(true);
    for (const name of ["", "nobody", "toString", "__proto__"])
      expect(isProviderName(name, config)).toBe(false);
    expect(isProviderName("mine", naming())).toBe(false);
  });
});
