/**
 * `<config-review .page .draft ?open>`: what would be written, checked by the gateway before it is. `wrote` tells the path of each change that
 * is in the file, `closed` that it is over.
 */
import { html, type PropertyDeclarations, type PropertyValues, type TemplateResult } from "lit";
import "../../parts/dialog.ts";
import { formatPath } from "@pincer/sdk";
import { View } from "../../shell/view.ts";
import { holdsMask, noChanges, type Change, type Draft } from "./config-draft.ts";
import { diffBox } from "./diff-box.ts";

interface Reviewed {
  change: Change;
  outcome: { ok: true; diff: string } | { ok: false; words: string };
}

class ConfigReview extends View {
  static override properties: PropertyDeclarations = {
    ...View.properties,
    draft: { attribute: false },
    open: { type: Boolean },
    reviewed: { state: true },
  };

  declare draft: Draft;
  declare open: boolean;
  /** Undefined while it is being checked. */
  declare reviewed: Reviewed[] | undefined;

  constructor() {
    super();
    this.draft = noChanges;
    this.open = false;
  }

  protected override updated(changed: PropertyValues): void {
    if (changed.has("open") && this.open) void this.review();
  }

  private async review(): Promise<void> {
    this.reviewed = undefined;
    this.reviewed = await Promise.all([...this.draft.values()].map((each) => this.check(each)));
  }

  private async check(change: Change): Promise<Reviewed> {
    const path = formatPath(change.path);
    const { language, link } = this.page;
    if (Array.isArray(change.value) && holdsMask(change.value))
      return { change, outcome: { ok: false, words: this.say("config.masked") } };
    try {
      const { diff = "" } =
        change.value === undefined
          ? await link.request("config.unset", { path, dryRun: true, language })
          : await link.request("config.set", { path, value: change.value, dryRun: true, language });
      return { change, outcome: { ok: true, diff } };
    } catch (error) {
      return { change, outcome: { ok: false, words: this.failureWords(error) } };
    }
  }

  /** One after the other; what comes behind one that is refused stays a draft. */
  private async write(): Promise<void> {
    const { language } = this.page;
    let problems: string[] = [];
    let isWhole = true;
    for (const { change } of this.reviewed ?? []) {
      const path = formatPath(change.path);
      const done =
        change.value === undefined
          ? await this.ask("config.unset", { path, language })
          : await this.ask("config.set", { path, value: change.value, language });
      isWhole = done !== undefined;
      if (!done) break;
      problems = done.inForce === false ? done.problems : [];
      this.dispatchEvent(new CustomEvent("wrote", { detail: path }));
    }
    if (problems.length > 0)
      this.page.tell(this.say("config.written.waiting", { problems: problems.join("; ") }), "bad");
    else if (isWhole) this.page.tell(this.say("config.written"), "good");
    this.close();
  }

  private close(): void {
    this.dispatchEvent(new CustomEvent("closed"));
  }

  protected override render(): TemplateResult {
    const { say } = this;
    return html`
      <p-dialog
        .heading=${say("config.review.title")}
        .closeLabel=${say("shell.close")}
        wide
        ?open=${this.open}
        .content=${this.content()}
        @closed=${() => this.close()}
      ></p-dialog>
    `;
  }

  private content(): TemplateResult {
    const { say, reviewed } = this;
    if (!reviewed) return html`<p class="soft" role="status">${say("config.review.checking")}</p>`;
    const isFine = reviewed.every(({ outcome }) => outcome.ok);
    return html`
      <div class="stack">
        ${reviewed.map(
          ({ change, outcome }) => html`
            <div class="stack tight">
              <h3 class="mono break">${formatPath(change.path)}</h3>
              ${outcome.ok ? this.diff(outcome.diff) : html`<p class="note bad break" role="alert">${outcome.words}</p>`}
            </div>
          `,
        )}
        <div class="row end">
          <button type="button" @click=${() => this.close()}>${say("shell.cancel")}</button>
          <button type="button" class="primary" ?disabled=${!isFine} @click=${() => void this.write()}>
            ${say("config.write")}
          </button>
        </div>
      </div>
    `;
  }

  private diff(diff: string): TemplateResult {
    return diff === "" ? html`<p class="soft">${this.say("config.review.nothing")}</p>` : diffBox(diff);
  }
}

customElements.define("config-review", ConfigReview);
