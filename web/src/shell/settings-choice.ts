/** The settings of a browser: theme and language. */
import { html, type TemplateResult } from "lit";
import type { Language, Say } from "../texts/texts.ts";
import type { Settings, Theme } from "./settings.ts";

export interface SettingsContext {
  settings: Settings;
  say: Say;
  choose(change: Partial<Settings>): void;
}

const themes: Theme[] = ["auto", "light", "dark"];

const valueOf = (event: Event): string => (event.target as HTMLSelectElement).value;

export const themeChoice = ({ settings, say, choose }: SettingsContext): TemplateResult => html`
  <select
    aria-label=${say("shell.theme")}
    @change=${(event: Event) => choose({ theme: valueOf(event) as Theme })}
  >
    ${themes.map(
      (theme) => html`
        <option value=${theme} ?selected=${settings.theme === theme}>${say(`shell.theme.${theme}`)}</option>
      `,
    )}
  </select>
`;

export const languageChoice = ({ settings, say, choose }: SettingsContext): TemplateResult => html`
  <select
    aria-label=${say("shell.language")}
    @change=${(event: Event) => choose({ language: valueOf(event) as Language })}
  >
    <option value="en" lang="en" ?selected=${settings.language === "en"}>English</option>
    <option value="zh" lang="zh-CN" ?selected=${settings.language === "zh"}>中文</option>
  </select>
`;
