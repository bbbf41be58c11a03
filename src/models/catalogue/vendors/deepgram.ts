import type { Vendor } from "./vendor.ts";

/** Turns speech into text. It has no model to talk to, so it is named among the providers and offers none. */
export const deepgram: Vendor = {
  id: "deepgram",
  name: "Deepgram",
  api: "deepgram",
  baseUrl: "https://api.deepgram.com/v1",
  credential: "needed",
  serves: "speech",
};
