import type { Config } from "../../config/schema.ts";
import { builtInProviders } from "../pi/built-in-catalogue.ts";
import { vendors } from "./vendors/vendors.ts";

/** All that are known by name: built in, brought along, or named in the config. */
export const providerNames = ({ models }: Pick<Config, "models">): string[] => [
  ...new Set([
    ...builtInProviders.map(({ id }) => id),
    ...vendors.map(({ id }) => id),
    ...Object.keys(models.providers),
  ]),
];
