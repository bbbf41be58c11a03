/**
 * Links to every view, and to what belongs to the page as a whole: first steps, documentation, signing out, settings.
 */
import { html, nothing, type TemplateResult } from "lit";
import { icon } from "../parts/icon.ts";
import { routes, type Route } from "./routes.ts";
import { languageChoice, themeChoice, type SettingsContext } from "./settings-choice.ts";

export interface NavigationParts extends SettingsContext {
  /** Where one is. */
  route: Route | undefined;
  isOpen: boolean;
  /** Whether the signed-in person may set up the gateway. */
  maySetUp: boolean;
  noticeButton: TemplateResult;
  close(): void;
  signOut(): void;
}

export function navigation(parts: NavigationParts): TemplateResult {
  const { say } = parts;
  return html`
    <nav class="shell-nav ${parts.isOpen ? "open" : ""}" aria-label=${say("shell.navigation")}>
      <div class="shell-brand">
        <img src="/favicon.svg" alt="" /> <span class="grow">Pincer</span> ${parts.noticeButton}
      </div>
      <ul class="shell-links">
        ${routes
          .filter((route) => !route.isHidden)
          .map(
            (route) => html`
              <li>
                <a
                  href="#/${route.name}"
                  aria-current=${parts.route === route ? "page" : nothing}
                  @click=${parts.close}
                >
                  ${icon(route.icon)} <span class="grow">${say(route.title)}</span>
                </a>
              </li>
            `,
          )}
      </ul>
      <div class="shell-nav-end">
        <ul class="shell-links">
          ${
            parts.maySetUp
              ? html`<li>
                  <a href="#/welcome">${icon("star")} <span>${say("nav.welcome")}</span></a>
                </li>`
              : nothing
          }
          <li>
            <a href="/docs" target="_blank" rel="noopener"
              >${icon("book")} <span>${say("shell.docs")}</span></a
            >
          </li>
        </ul>
        <button type="button" class="quiet shell-exit" @click=${parts.signOut}>
          ${icon("exit")} ${say("shell.sign-out")}
        </button>
        <div class="shell-settings">${themeChoice(parts)} ${languageChoice(parts)}</div>
      </div>
    </nav>
  `;
}
