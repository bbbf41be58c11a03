/** The views and their addresses. Each is loaded when it is first opened. */
import type { IconName } from "../parts/icon.ts";
import type { TextKey } from "../texts/texts.ts";

export interface Route {
  /** The first part of the address: "chat" of "#/chat/…". */
  name: string;
  tag: `view-${string}`;
  title: TextKey;
  icon: IconName;
  load(): Promise<unknown>;
  /** Whether it has the whole window and scrolls by itself. */
  fills?: true;
  /** Whether the navigation leaves it out. */
  isHidden?: true;
}

export const routes: readonly Route[] = [
  {
    name: "chat",
    tag: "view-chat",
    title: "nav.chat",
    icon: "chat",
    load: () => import("../views/chat/chat-view.ts"),
    fills: true,
  },
  {
    name: "sessions",
    tag: "view-sessions",
    title: "nav.sessions",
    icon: "list",
    load: () => import("../views/sessions/sessions-view.ts"),
  },
  {
    name: "approvals",
    tag: "view-approvals",
    title: "nav.approvals",
    icon: "shield",
    load: () => import("../views/approvals/approvals-view.ts"),
  },
  {
    name: "channels",
    tag: "view-channels",
    title: "nav.channels",
    icon: "plug",
    load: () => import("../views/channels/channels-view.ts"),
  },
  {
    name: "models",
    tag: "view-models",
    title: "nav.models",
    icon: "cpu",
    load: () => import("../views/models/models-view.ts"),
  },
  {
    name: "usage",
    tag: "view-usage",
    title: "nav.usage",
    icon: "chart",
    load: () => import("../views/usage/usage-view.ts"),
  },
  {
    name: "runs",
    tag: "view-runs",
    title: "nav.runs",
    icon: "timeline",
    load: () => import("../views/runs/runs-view.ts"),
  },
  {
    name: "config",
    tag: "view-config",
    title: "nav.config",
    icon: "sliders",
    load: () => import("../views/config/config-view.ts"),
  },
  {
    name: "health",
    tag: "view-health",
    title: "nav.health",
    icon: "pulse",
    load: () => import("../views/health/health-view.ts"),
  },
  {
    name: "access",
    tag: "view-access",
    title: "nav.access",
    icon: "key",
    load: () => import("../views/access/access-view.ts"),
  },
  {
    name: "welcome",
    tag: "view-welcome",
    title: "nav.welcome",
    icon: "star",
    load: () => import("../views/welcome/welcome-view.ts"),
    isHidden: true,
  },
];

/** "#/chat/agent:main" is chat, with "agent:main" as the rest. Without an address, chat. Undefined: nothing is there. */
export function routeOf(hash: string): { route: Route; rest: string } | undefined {
  const path = hash.replace(/^#\/?/, "");
  const [name = "", ...others] = path.split("/");
  const route = routes.find((each) => each.name === (name === "" ? "chat" : name));
  return route && { route, rest: decode(others.join("/")) };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
