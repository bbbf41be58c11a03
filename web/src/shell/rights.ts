/** What the page offers to a role. The gateway decides by itself, whatever is offered. Pure. */
import type { Me } from "./page.ts";

export interface Rights {
  isOwner: boolean;
  /** Answers approvals, connects models and channels. */
  maySetUp: boolean;
  /** Talks to the assistant. */
  mayWrite: boolean;
}

export const rightsOf = ({ role }: Pick<Me, "role">): Rights => ({
  isOwner: role === "owner",
  maySetUp: role === "owner" || role === "admin",
  mayWrite: ["owner", "admin", "developer", "peer"].includes(role),
});
