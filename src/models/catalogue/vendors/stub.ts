import type { Vendor } from "./vendor.ts";

/** Always there, and asks nobody. */
export const stub: Vendor = {
  id: "stub",
  name: "Stub",
  api: "stub",
  baseUrl: "",
  credential: "none",
  models: [{ id: "stub", name: "Says that no model is connected" }],
};
