/**
 * `<server-model .page .provider .tried .again>`: which of the models of a server of one's own answers, and what the server does not tell about
 * it: how much it can read at once, and whether it sees pictures. `saved` tells that the config has it.
 */
import type { SetupTryView } from "@pincer/sdk";
import { html, type PropertyDeclarations, type TemplateResult } from "lit";
import { View } from "../../shell/view.ts";

type Answered = Extract<SetupTryView, { ok: true }>;

export class ServerModel extends View {
  static override properties: PropertyDeclarations = {
    ...View.properties,
    provider: { attribute: false },
    tried: { attribute: false },
    again: { attribute: false },
    isSaving: { state: true },
  };

  declare provider: string;
  declare tried: Answered;
  /** Tries another model of the server and uses it, if it answers. */
  declare again: (model: string) => Promise<SetupTryView | undefined>;
  declare isSaving: boolean;

  constructor() {
    super();
    this.isSaving = false;
  }

  /** The id of the one that answered. */
  private get model(): string {
    return this.tried.reference.slice(this.provider.length + 1);
  }

  private async save(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    if (this.isSaving) return;
    const form = new FormData(event.target as HTMLFormElement);
    const chosen = String(form.get("model") ?? this.model);
    const window = Number(form.get("window") ?? "");
    const sees = form.get("sees") === "on";
    this.isSaving = true;
    const tried = chosen === this.model ? this.tried : await this.again(chosen);
    if (tried?.ok && (await this.describe(chosen, { window, sees })))
      this.page.tell(this.say("models.server.saved", { name: tried.reference }), "good");
    this.isSaving = false;
    this.dispatchEvent(new CustomEvent("saved", { bubbles: true }));
  }

  /** Written into the list of the provider's models; what else is known of the model there stays. */
  private async describe(id: string, { window, sees }: { window: number; sees: boolean }): Promise<boolean> {
    const path = `models.providers${accessOf(this.provider)}.models`;
    const { language } = this.page;
    const found = await this.ask("config.get", { path, language });
    if (!found) return false;
    const models = (Array.isArray(found.value) ? found.value : []) as Array<{ id: string }>;
    const known = models.find((each) => each.id === id);
    const described = {
      ...known,
      id,
      ...(window > 0 ? { contextWindow: window } : {}),
      input: sees ? ["text", "image"] : ["text"],
    };
    const value = known ? models.map((each) => (each === known ? described : each)) : [...models, described];
    return (await this.ask("config.set", { path, value, language })) !== undefined;
  }

  protected override render(): TemplateResult {
    const { say, tried, model } = this;
    const models = tried.models.includes(model) ? tried.models : [model, ...tried.models];
    return html`
      <form class="form-grid card" @submit=${(event: SubmitEvent) => void this.save(event)}>
        <label class="field">
          <span class="label">${say("models.server.which", { count: models.length })}</span>
          <select name="model">
            ${models.map((id) => html`<option value=${id} ?selected=${id === model}>${id}</option>`)}
          </select>
        </label>
        <label class="field">
          <span class="label">${say("models.server.window")}</span>
          <input name="window" type="number" min="1024" step="1" inputmode="numeric" />
          <span class="hint">${say("models.server.window.hint")}</span>
        </label>
        <label class="row switch"><input type="checkbox" name="sees" /> ${say("models.server.sees")}</label>
        <div><button ?disabled=${this.isSaving}>${say("models.server.save")}</button></div>
      </form>
    `;
  }
}

const accessOf = (name: string): string => (/^[\w-]+$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`);

customElements.define("server-model", ServerModel);
