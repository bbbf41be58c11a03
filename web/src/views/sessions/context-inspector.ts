/**
 * What the next request of a session would contain: the size of each part, why it is there, and its text on request.
 */
import type { MethodResults, SessionView } from "@pincer/sdk";
import { html, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from "lit";
import { count } from "../../parts/amounts.ts";
import { cssVariables } from "../../parts/css-variables.ts";
import { View } from "../../shell/view.ts";
import { layContext } from "./context-parts.ts";

type ContextView = MethodResults["context.show"];
type Part = ContextView["parts"][number];

class ContextInspector extends View {
  static override properties: PropertyDeclarations = {
    ...View.properties,
    session: { attribute: false },
    shown: { state: true },
    isAsking: { state: true },
    read: { state: true },
  };

  declare session: SessionView;
  declare shown: ContextView | undefined;
  declare isAsking: boolean;
  /** The part whose text is open, and the text once it is there. */
  declare read: { name: string; text: string | undefined } | undefined;

  constructor() {
    super();
    this.isAsking = false;
  }

  protected override willUpdate(changed: PropertyValues): void {
    const before = changed.get("session") as SessionView | undefined;
    if (!before || before.sessionId === this.session.sessionId) return;
    this.shown = undefined;
    this.read = undefined;
  }

  /** What it shows costs something to find out, so it waits to be asked. */
  private async look(): Promise<void> {
    this.isAsking = true;
    this.read = undefined;
    this.shown = await this.ask("context.show", { sessionKey: this.session.sessionId });
    this.isAsking = false;
  }

  private async open(name: string): Promise<void> {
    if (this.read?.name === name) {
      this.read = undefined;
      return;
    }
    this.read = { name, text: undefined };
    const asked = { sessionKey: this.session.sessionId, text: name };
    // A part without a text is refused, and that is said where the text would be.
    const found = await this.page.link
      .request("context.show", asked, { signal: this.signal })
      .catch(() => undefined);
    if (this.read?.name !== name) return;
    const texts = found?.parts.flatMap((part) => (part.name === name ? (part.text ?? []) : [])) ?? [];
    this.read = { name, text: texts.join("\n\n") };
  }

  protected override render(): TemplateResult {
    const { say, shown } = this;
    const isOver = this.session.state === "ended";
    return html`
      <section class="card" aria-labelledby="context-heading">
        <h2 id="context-heading">${say("context.heading")}</h2>
        <p class="soft">${say(isOver ? "context.ended" : "context.about")}</p>
        ${
          isOver || shown
            ? nothing
            : html`<div class="row">
                <button type="button" ?disabled=${this.isAsking} @click=${() => void this.look()}>
                  ${say("context.load")}
                </button>
              </div>`
        }
        ${shown ? this.parts(shown) : nothing}
      </section>
    `;
  }

  private parts(shown: ContextView): TemplateResult {
    const { say } = this;
    const { language } = this.page;
    const { slices, marks, used } = layContext(shown);
    const number = (value: number) => count(value, language);
    return html`
      <p>
        <strong
          >${say("context.used", {
            used: number(shown.total),
            window: number(shown.window.contextWindow),
            share: used < 10 ? used.toFixed(1) : Math.round(used),
          })}</strong
        >
        <span class="soft"
          >${say("context.model", { model: `${shown.model.provider}/${shown.model.id}` })}</span
        >
      </p>
      <div class="context-bar" aria-hidden="true">
        ${slices.map(
          ({ kind, name, tokens, from, width }) => html`
            <span
              class="context-slice ${kind} ${this.read?.name === name ? "chosen" : ""}"
              ${cssVariables({ "--from": `${from}%`, "--width": `${width}%` })}
              title=${kind === "free" ? `${say("context.free")}: ${number(tokens)}` : `${name}: ${number(tokens)}`}
            ></span>
          `,
        )}
        ${marks.map(
          ({ name, tokens, at }) => html`
            <span
              class="context-mark"
              ${cssVariables({ "--from": `${at}%` })}
              title=${say(`context.${name}`, { tokens: number(tokens) })}
            ></span>
          `,
        )}
      </div>
      <ul class="legend">
        ${(["prompt", "tools", "history"] as const).map(
          (kind) => html`
            <li>
              <span class="swatch ${kind}"></span> ${say(`context.kind.${kind}`)}
              <span class="soft number">${number(sumOf(shown.parts, kind))}</span>
            </li>
          `,
        )}
        ${marks.map(
          ({ name, tokens }) =>
            html`<li class="soft">${say(`context.${name}`, { tokens: number(tokens) })}</li>`,
        )}
      </ul>
      <div class="scroll-x" tabindex="0" role="region" aria-label=${say("context.heading")}>
        <table class="table context-table">
          <thead>
            <tr>
              <th scope="col">${say("context.part")}</th>
              <th scope="col" class="number">${say("context.tokens")}</th>
              <th scope="col">${say("context.why")}</th>
              <th scope="col"><span class="visually-hidden">${say("context.read")}</span></th>
            </tr>
          </thead>
          <tbody>
            ${shown.parts.map((part) => this.partRow(part, shown.total))}
          </tbody>
        </table>
      </div>
    `;
  }

  private partRow(part: Part, total: number): TemplateResult {
    const { say, read } = this;
    const isOpen = read?.name === part.name;
    const text = isOpen ? (read?.text ?? say("shell.loading")) : "";
    return html`
      <tr>
        <th scope="row" class="context-name"><span class="swatch ${part.kind}"></span> ${part.name}</th>
        <td class="number">
          ${count(part.tokens, this.page.language)}
          <span
            class="context-share"
            ${cssVariables({ "--width": `${(part.tokens / Math.max(total, 1)) * 100}%` })}
          ></span>
        </td>
        <td class="soft small">${part.why}</td>
        <td>
          <button
            type="button"
            class="quiet"
            aria-expanded=${isOpen ? "true" : "false"}
            aria-label=${say("context.read.part", { name: part.name })}
            @click=${() => void this.open(part.name)}
          >
            ${say("context.read")}
          </button>
        </td>
      </tr>
      ${
        isOpen
          ? html`<tr>
              <td colspan="4">
                <pre class="code-box context-text" tabindex="0">
${text === "" ? say("context.no-text") : text}</pre>
              </td>
            </tr>`
          : nothing
      }
    `;
  }
}

const sumOf = (parts: readonly Part[], kind: Part["kind"]): number =>
  parts.reduce((sum, part) => sum + (part.kind === kind ? part.tokens : 0), 0);

if (!customElements.get("context-inspector")) customElements.define("context-inspector", ContextInspector);
