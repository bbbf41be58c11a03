/** A state as a badge: coloured while it is live, and grey with its age while disconnected. */
import { html, type TemplateResult } from "lit";
import type { Language, Say } from "../texts/texts.ts";
import "./last-known.ts";

export interface Known {
  /** Since when nothing is heard, RFC 3339; undefined while it is. */
  lostAt: string | undefined;
  say: Say;
  language: Language;
}

export const knownBadge = (tone: string, words: unknown, { lostAt, say, language }: Known): TemplateResult =>
  lostAt === undefined
    ? html`<span class="badge ${tone}">${words}</span>`
    : // How long ago it is changes all the time: nobody needs to hear that each time.
      html`<span class="badge last-known" aria-live="off"
        >${words} · <p-last-known since=${lostAt} .say=${say} .language=${language}></p-last-known
      ></span>`;
