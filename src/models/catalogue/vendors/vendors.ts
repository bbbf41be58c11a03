import { deepgram } from "./deepgram.ts";
import { hostedVendors } from "./hosted.ts";
import { lmstudio } from "./lmstudio.ts";
import { ollama } from "./ollama.ts";
import { ownServers } from "./own-servers.ts";
import { stub } from "./stub.ts";
import type { Vendor } from "./vendor.ts";

/** Those that pi does not bring along. Another one is a record, and a line here. */
export const vendors: readonly Vendor[] = [ollama, lmstudio, ...ownServers, ...hostedVendors, deepgram, stub];

export const findVendor = (id: string): Vendor | undefined => vendors.find((vendor) => vendor.id === id);

/** Whether the provider is known to answer without a credential. */
export const isKeyless = (provider: string): boolean => findVendor(provider)?.credential === "none";
