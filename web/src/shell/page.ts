/** What every view receives: the link to the gateway, the signed-in person, and the shell around it. */
import type { GatewayLink } from "@pincer/sdk/client";
import type { Language, Say } from "../texts/texts.ts";

/** Who the gateway takes the browser for. */
export interface Me {
  id: string;
  name: string;
  role: string;
}

export interface Page {
  link: GatewayLink;
  me: Me;
  say: Say;
  language: Language;
  /** Opens a view: "/sessions". */
  go(path: string): void;
  /** Says something above the view, for a moment; longer where something failed. */
  tell(text: string, kind?: "good" | "bad"): void;
  /** Asks before something is done. False when it is not to be done. */
  confirm(question: string, options?: ConfirmOptions): Promise<boolean>;
  /** Calls again whenever something may have been missed: a gap in the events, or a connection that came back. The answer ends it. */
  onGap(listener: () => void): () => void;
  /** Since when there is no connection, RFC 3339: what is shown is what was known then. Undefined while there is one. */
  lostAt(): string | undefined;
  /** Calls when the connection is lost and when it is back. The answer ends it. */
  onLink(listener: () => void): () => void;
}

export interface ConfirmOptions {
  /** What happens, in more words. */
  detail?: string | undefined;
  /** On the button that does it. */
  yes?: string | undefined;
  /** On the one that leaves everything as it is. */
  no?: string | undefined;
  /** What Enter answers; yes unless it says otherwise. */
  usual?: "yes" | "no" | undefined;
  danger?: boolean | undefined;
}
