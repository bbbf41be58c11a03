/** What needs the owner, behind the notice button: each with a link to where it is settled. */
import type { EventTopic, MethodName, MethodParams, MethodResults } from "@pincer/sdk";
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { empty } from "../../parts/empty.ts";
import { icon } from "../../parts/icon.ts";
import { time } from "../../parts/time.ts";
import { visibleText } from "../../parts/visible-text.ts";
import type { Page } from "../../shell/page.ts";
import { View } from "../../shell/view.ts";
import "../../style/control.css";
import { type Need, needsOwner } from "./needs-owner.ts";
import "./steering-files.ts";

const topics: readonly EventTopic[] = ["approvals", "notices", "channels", "config"];

/** Reports how much needs the signed-in person, now and whenever it changes. */
export function followNeeds(page: Page, tell: (count: number) => void): void {
  let isAsking = false;
  let isAgain = false;
  const look = async (): Promise<void> => {
    isAgain = isAsking;
    if (isAsking) return;
    isAsking = true;
    tell((await askNeeds(page)).length);
    isAsking = false;
    if (isAgain) await look();
  };
  const changed = () => void look();
  page.link.subscribe(topics, changed);
  page.onGap(changed);
  changed();
}

class NoticesPanel extends View {
  static override properties: PropertyDeclarations = {
    ...View.properties,
    needs: { state: true },
    shown: { state: true },
  };

  declare needs: Need[] | undefined;
  /** The folder whose changes are shown. */
  declare shown: string | undefined;

  protected override watched(): readonly EventTopic[] {
    return topics;
  }

  protected override async load(): Promise<void> {
    this.needs = await askNeeds(this.page);
  }

  private async dismiss(id: string): Promise<void> {
    await this.ask("notices.dismiss", { id });
    await this.load();
  }

  private readonly chosen = (): void => {
    this.dispatchEvent(new CustomEvent("chosen"));
  };

  protected override render(): TemplateResult {
    const { say, needs } = this;
    if (needs === undefined) return html`<p class="empty">${say("shell.loading")}</p>`;
    if (needs.length === 0) return empty(say("notices.none"));
    return html`<ul class="needs">
      ${needs.map((need) => this.one(need))}
    </ul>`;
  }

  private steering(workdir: string): TemplateResult {
    if (this.shown !== workdir)
      return html`<button type="button" @click=${() => (this.shown = workdir)}>
        ${this.say("notices.steering.show")}
      </button>`;
    const accepted = () => {
      this.shown = undefined;
      void this.load();
    };
    return html`<steering-files
      .page=${this.page}
      .workdir=${workdir}
      @accepted=${accepted}
    ></steering-files>`;
  }

  private one(need: Need): TemplateResult {
    const { say } = this;
    const { text, noticeId, steering } = need;
    const words = "words" in text ? text.words : say(text.key, text.parameters);
    return html`
      <li class="need ${need.tone}">
        <a href=${need.link} @click=${this.chosen}>
          ${icon(need.tone === "info" ? "info" : "warning")}
          <span class="grow break">${visibleText(words)}</span>
          <span class="soft small">${time(need.since, this.page.language)}</span>
        </a>
        ${
          noticeId === undefined
            ? nothing
            : html`
                <button
                  type="button"
                  class="quiet icon-only"
                  aria-label=${say("notices.dismiss")}
                  title=${say("notices.dismiss")}
                  @click=${() => void this.dismiss(noticeId)}
                >
                  ${icon("check")}
                </button>
              `
        }
        ${steering === undefined || this.page.me.role !== "owner" ? nothing : this.steering(steering)}
      </li>
    `;
  }
}

customElements.define("notices-panel", NoticesPanel);

/** Asks for everything that may need the owner; what a role may not see needs somebody else. Never throws. */
async function askNeeds({ link, language }: Pick<Page, "link" | "language">): Promise<Need[]> {
  const ask = <Name extends Exclude<MethodName, "connect">>(
    method: Name,
    params: MethodParams<Name>,
  ): Promise<MethodResults[Name] | undefined> => link.request(method, params as never).catch(() => undefined);
  const [approvals, pairing, channels, budgets, notices, config] = await Promise.all([
    ask("approvals.list", { states: ["pending"], limit: 50 }),
    ask("pairing.list", {}),
    ask("channels.list", { language }),
    ask("usage.budgets", {}),
    ask("notices.list", { limit: 50, language }),
    ask("config.get", { path: "configVersion", language }),
  ]);
  return needsOwner({
    approvals: approvals?.approvals ?? [],
    pairing: pairing?.pending ?? [],
    channels: channels?.channels ?? [],
    budgets: budgets?.budgets ?? [],
    notices: notices?.notices ?? [],
    configProblems: config?.mode === "safe" ? config.problems : [],
  });
}
