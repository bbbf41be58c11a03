/** The configuration as a form that comes from its own schema, with what would be written before it is, its history and its file. */
import { formatPath, isWithin, type ConfigPath, type ConfigValueView, type EventTopic } from "@pincer/sdk";
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { View } from "../../shell/view.ts";
import "../../style/control.css";
import { change, forget, noChanges, withDraft, type Draft } from "./config-draft.ts";
import { fieldsOf, type FieldContext } from "./config-fields.ts";
import "./config-history.ts";
import "./config-review.ts";
import { inChinese } from "./schema-in-chinese.ts";
import { formOf, keysOf, searchKeys, type FormField, type KeyEntry } from "./form-model.ts";
import { revertTo } from "./revert-to.ts";

const views = ["form", "history", "file"] as const;
type Shown = (typeof views)[number];
const mostFound = 12;
/** Groups down to here are open. */
const openDepth = 2;

class ConfigView extends View {
  static override properties: PropertyDeclarations = {
    ...View.properties,
    form: { state: true },
    current: { state: true },
    section: { state: true },
    draft: { state: true },
    folds: { state: true },
    wrongs: { state: true },
    shown: { state: true },
    words: { state: true },
    file: { state: true },
    isReviewing: { state: true },
  };

  declare form: (FormField & { kind: "section" }) | undefined;
  declare current: ConfigValueView | undefined;
  declare section: string;
  declare draft: Draft;
  /** Groups that somebody folded out or in, by path; the others are open where they stand at the top. */
  declare folds: ReadonlyMap<string, boolean>;
  /** What was typed and does not fit, by path. */
  declare wrongs: ReadonlyMap<string, string>;
  declare shown: Shown;
  declare words: string;
  declare file: { file: string; text: string | null } | undefined;
  declare isReviewing: boolean;
  private keys: KeyEntry[] = [];

  constructor() {
    super();
    this.section = "";
    this.draft = noChanges;
    this.folds = new Map();
    this.wrongs = new Map();
    this.shown = "form";
    this.words = "";
    this.isReviewing = false;
  }

  protected override watched(): readonly EventTopic[] {
    return ["config"];
  }

  protected override async load(): Promise<void> {
    const { language } = this.page;
    const [schema, current, file] = await Promise.all([
      this.form ? undefined : this.schema(),
      this.ask("config.get", { language }),
      this.ask("config.file", {}),
    ]);
    if (schema !== undefined) {
      const form = formOf(schema);
      this.form = form;
      this.keys = keysOf(form);
    }
    this.current = current ?? this.current;
    this.file = file ?? this.file;
    if (this.section === "")
      this.section = this.form?.fields.find(({ name }) => name === this.rest)?.name ?? "agents";
  }

  /** In the language of the page. */
  private async schema(): Promise<unknown> {
    const schema = await this.ask("config.schema", {});
    return this.page.language === "zh" ? inChinese(schema) : schema;
  }

  private get mayChange(): boolean {
    return this.page.me.role === "owner" || this.page.me.role === "admin";
  }

  private get context(): FieldContext {
    const stored = this.current?.value;
    const { form } = this;
    const merge = (path: ConfigPath, value: unknown) => {
      if (!form) return;
      this.draft =
        value === undefined ? this.takenOut(path) : change({ form, stored, draft: this.draft }, path, value);
    };
    return {
      say: this.say,
      value: withDraft(stored, this.draft),
      sources: this.current?.sources ?? {},
      mayChange: this.mayChange,
      isChanged: (path) =>
        [...this.draft.values()].some((each) => isWithin(each.path, path) || isWithin(path, each.path)),
      isOpen: (path) => this.isOpen(path),
      open: (path, isOpen) => {
        if (this.isOpen(path) !== isOpen) this.folds = new Map(this.folds).set(formatPath(path), isOpen);
      },
      set: merge,
      reset: (path) => {
        this.setWrong(path, undefined);
        const isChanged = this.draft.has(formatPath(path));
        // First what was typed is taken back; then what the file says.
        if (isChanged) this.draft = new Map([...this.draft].filter(([name]) => name !== formatPath(path)));
        else this.draft = this.takenOut(path);
      },
      wrong: (path) => this.wrongs.get(formatPath(path)),
      setWrong: (path, words) => this.setWrong(path, words),
    };
  }

  private isOpen(path: ConfigPath): boolean {
    return this.folds.get(formatPath(path)) ?? path.length <= openDepth;
  }

  /** An item of a list is taken out by writing the list without it. */
  private takenOut(path: ConfigPath): Draft {
    const stored = this.current?.value;
    const { form, draft } = this;
    const isInDraft = [...draft.values()].some(
      (each) => isWithin(path, each.path) && each.path.length < path.length,
    );
    const isItem = path.some((segment) => typeof segment === "number");
    const isInFile = Object.keys(this.current?.sources ?? {}).some(
      (name) =>
        name === formatPath(path) ||
        name.startsWith(`${formatPath(path)}.`) ||
        name.startsWith(`${formatPath(path)}[`),
    );
    if (form && (isInDraft || isItem)) return change({ form, stored, draft }, path, undefined);
    return isInFile ? forget({ stored, draft }, path) : forget({ stored: undefined, draft }, path);
  }

  private setWrong(path: ConfigPath, words: string | undefined): void {
    const next = new Map(this.wrongs);
    if (words === undefined) next.delete(formatPath(path));
    else next.set(formatPath(path), words);
    this.wrongs = next;
  }

  private wrote(path: string): void {
    this.draft = new Map([...this.draft].filter(([name]) => name !== path));
    void this.load();
  }

  private async undoLast(): Promise<void> {
    const done = await this.ask("config.revert", { language: this.page.language });
    if (done) revertTo(this.page, done);
    await this.load();
  }

  private async goTo({ path, section }: KeyEntry): Promise<void> {
    this.section = section;
    this.words = "";
    this.shown = "form";
    const folds = new Map(this.folds);
    const segments = path.split(".");
    for (let length = 1; length <= segments.length; length++)
      folds.set(segments.slice(0, length).join("."), true);
    this.folds = folds;
    await this.updateComplete;
    const found =
      this.querySelector<HTMLElement>(`[data-path="${CSS.escape(path)}"]`) ??
      this.querySelector<HTMLElement>("#section-head");
    found?.scrollIntoView({ block: "center" });
    (found?.querySelector<HTMLElement>("input, select, textarea, summary") ?? found)?.focus();
  }

  protected override render(): TemplateResult {
    const { say, current, form } = this;
    if (!current || !form) return html`<p class="empty">${say("shell.loading")}</p>`;
    const parts = { form: this.formPart, history: this.historyPart, file: this.filePart };
    return html`
      <div class="page-head">
        <h1>${say("config.title")}</h1>
        <span class="grow"></span>
        <div class="row segments" role="group" aria-label=${say("config.views")}>
          ${views.map((each) => html`<button type="button" aria-pressed=${each === this.shown ? "true" : "false"} @click=${() => (this.shown = each)}>${say(`config.${each}`)}</button>`)}
        </div>
      </div>
      ${this.trouble(current)}
      ${this.mayChange ? nothing : html`<p class="hint">${say("config.may-not")}</p>`}
      ${parts[this.shown].call(this, form)} ${this.draft.size > 0 ? this.bar() : nothing}
      <config-review
        .page=${this.page}
        .draft=${this.draft}
        ?open=${this.isReviewing}
        @wrote=${(event: CustomEvent<string>) => this.wrote(event.detail)}
        @closed=${() => (this.isReviewing = false)}
      ></config-review>
    `;
  }

  private trouble({ mode, problems }: ConfigValueView): TemplateResult | typeof nothing {
    const { say } = this;
    if (mode === "normal" && problems.length === 0) return nothing;
    const isSafe = mode === "safe";
    return html`
      <section class="note ${isSafe ? "bad" : "warn"} stack tight trouble" role="alert">
        <strong>${say(isSafe ? "config.safe" : "config.problems")}</strong>
        <ul>
          ${problems.map((problem) => html`<li class="break">${problem}</li>`)}
        </ul>
        ${
          isSafe
            ? html`<p>${say("config.safe.mend")}</p>
                ${this.mayChange ? html`<div><button type="button" @click=${() => void this.undoLast()}>${say("config.undo")}</button></div>` : nothing}`
            : nothing
        }
      </section>
    `;
  }

  private formPart(form: FormField & { kind: "section" }): TemplateResult {
    const { say } = this;
    const section = form.fields.find(({ name }) => name === this.section);
    const { context } = this;
    return html`
      <div class="config-layout">
        <div class="config-side stack tight">
          <label class="field">
            <span class="label">${say("config.search")}</span>
            <input
              type="search"
              .value=${this.words}
              @input=${(event: Event) => (this.words = (event.target as HTMLInputElement).value)}
            />
          </label>
          ${this.words.trim() === "" ? nothing : this.found()}
          <nav aria-label=${say("config.sections")}>
            <ul class="section-list">
              ${form.fields.map(
                ({ name }) => html`
                  <li>
                    <button
                      type="button"
                      class="quiet ${name === this.section ? "current" : ""}"
                      aria-current=${name === this.section ? "true" : nothing}
                      @click=${() => (this.section = name)}
                    >
                      <span class="mono">${name}</span>
                      ${context.isChanged([name]) ? html`<span class="dot warn" title=${say("config.changed")}></span>` : nothing}
                    </button>
                  </li>
                `,
              )}
            </ul>
          </nav>
        </div>
        <section class="stack" aria-labelledby="section-head">
          <div>
            <h2 id="section-head" class="config-name" tabindex="-1">${this.section}</h2>
            <p class="soft">${section?.description}</p>
          </div>
          ${section ? fieldsOf(context, section, [section.name]) : nothing}
        </section>
      </div>
    `;
  }

  private found(): TemplateResult {
    const { say } = this;
    const found = searchKeys(this.keys, this.words);
    const rest = found.length - mostFound;
    return html`
      <ul class="found" aria-live="polite">
        ${found.length === 0 ? html`<li class="soft small">${say("config.search.none")}</li>` : nothing}
        ${found.slice(0, mostFound).map(
          (entry) =>
            html`<li>
              <button type="button" class="quiet" @click=${() => void this.goTo(entry)}>
                <span
                  ><span class="mono break">${entry.path}</span>
                  <span class="soft small block">${entry.description}</span></span
                >
              </button>
            </li>`,
        )}
        ${rest > 0 ? html`<li class="soft small">${say("config.search.more", { count: rest })}</li>` : nothing}
      </ul>
    `;
  }

  private historyPart(): TemplateResult {
    return html`<config-history
      .page=${this.page}
      .mayChange=${this.mayChange}
      @reverted=${() => void this.load()}
    ></config-history>`;
  }

  private filePart(): TemplateResult {
    const { say, file } = this;
    return html`
      <div class="stack">
        <p class="hint">${say("config.file.hint")} <code class="break">${file?.file}</code></p>
        ${file?.text == null ? html`<p class="empty">${say("config.file.none")}</p>` : html`<pre class="code-box" tabindex="0">${file.text}</pre>`}
      </div>
    `;
  }

  private bar(): TemplateResult {
    const { say } = this;
    return html`
      <div class="save-bar" role="region" aria-label=${say("config.review")}>
        <span class="grow" role="status">${say("config.changes", { count: this.draft.size })}</span>
        <button
          type="button"
          @click=${() => {
            this.draft = noChanges;
            this.wrongs = new Map();
          }}
        >
          ${say("config.discard")}
        </button>
        <button
          type="button"
          class="primary"
          ?disabled=${this.wrongs.size > 0}
          @click=${() => (this.isReviewing = true)}
        >
          ${say("config.review")}
        </button>
      </div>
    `;
  }
}

customElements.define("view-config", ConfigView);
