import type { ApprovalView } from "@pincer/sdk";

/** Questions to the owner while a turn runs or waits. The same question may be sent more than once. */
export type ApprovalEvent =
  | { type: "approval-asked"; approval: ApprovalView }
  | { type: "approval-answered"; id: string; state: ApprovalView["state"] };
