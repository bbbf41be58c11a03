import type { Config } from "../../config/schema.ts";
import { builtInProviders } from "../pi/built-in-catalogue.ts";
import { vendors } from "./vendors/vendors.ts";

/** All that are known by name: built in, brought along, or named in the config. */
export const providerNames = ({ models }: Pick<Config, "models">): string[] => [
  ...new Set([...everywhere, ...Object.keys(models.providers)]),
];

/** Whether it is one of these. */
export const isProviderName = (name: string, { models }: Pick<Config, "models">): boolean =>
  everywhere.has(name) || Object.hasOwn(models.providers, name);

/** Whatever the config says. */
const everywhere: ReadonlySet<string> = new Set([
  ...builtInProviders.map(({ id }) => id),
  ...vendors.map(({ id }) => id),
]);
