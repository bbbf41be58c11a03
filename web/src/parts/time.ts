/** A time, shown as how long ago it was; exactly on request. */
import { html, nothing, type TemplateResult } from "lit";
import type { Language } from "../texts/texts.ts";
import { exactTime, relativeTime } from "./amounts.ts";

export const time = (iso: string | null | undefined, language: Language): TemplateResult | typeof nothing =>
  iso
    ? html`<time datetime=${iso} title=${exactTime(iso, language)}>${relativeTime(iso, language)}</time>`
    : nothing;
