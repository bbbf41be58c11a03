/** Why the gate decides as it does. */
import type { ExplainCall } from "../../gate/explain-call.ts";
import type { Api } from "./api.ts";

export const createPolicyApi = (explain: ExplainCall): Api<"policy"> => ({
  explain: (request) => explain(request),
});
