/** The fields of a part of the config. What is open and what was typed wrongly is the view's; everything else comes from the form's model. */
import { html, nothing, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import { formatPath, isTable, readPath, type ConfigPath } from "@pincer/sdk";
import { icon } from "../../parts/icon.ts";
import type { Say } from "../../texts/texts.ts";
import { isTextKey } from "../../texts/texts.ts";
import type { FormField } from "./form-model.ts";
import { readField, showField } from "./read-field.ts";

export interface FieldContext {
  say: Say;
  /** With what is changed and not yet written. */
  value: unknown;
  /** Where each value comes from that is no default. */
  sources: Readonly<Record<string, string>>;
  mayChange: boolean;
  isChanged(path: ConfigPath): boolean;
  isOpen(path: ConfigPath): boolean;
  open(path: ConfigPath, isOpen: boolean): void;
  set(path: ConfigPath, value: unknown): void;
  reset(path: ConfigPath): void;
  /** In words; undefined where nothing is wrong. */
  wrong(path: ConfigPath): string | undefined;
  setWrong(path: ConfigPath, words: string | undefined): void;
}

export function fieldsOf(context: FieldContext, field: FormField, path: ConfigPath): TemplateResult {
  if (field.kind === "section")
    return html`<div class="config-fields">
      ${field.fields.map((each) => oneField(context, each, [...path, each.name]))}
    </div>`;
  if (field.kind === "map") return mapOf(context, field, path);
  if (field.kind === "records") return recordsOf(context, field, path);
  return leaf(context, field, path);
}

function oneField(context: FieldContext, field: FormField, path: ConfigPath): TemplateResult {
  return field.kind === "section" || field.kind === "map" || field.kind === "records"
    ? folded(context, { title: field.name, description: field.description, path, isRemovable: false }, () =>
        fieldsOf(context, field, path),
      )
    : leaf(context, field, path);
}

function folded(
  context: FieldContext,
  {
    title,
    description,
    path,
    isRemovable,
  }: { title: string; description: string; path: ConfigPath; isRemovable: boolean },
  content: () => TemplateResult,
): TemplateResult {
  const isOpen = context.isOpen(path);
  return html`
    <details
      class="config-group"
      data-path=${formatPath(path)}
      ?open=${isOpen}
      @toggle=${(event: Event) => {
        const details = event.target as HTMLDetailsElement;
        if (event.currentTarget === details) context.open(path, details.open);
      }}
    >
      <summary>
        <strong class="mono">${title}</strong>
        ${context.isChanged(path) ? html`<span class="badge warn">${context.say("config.changed")}</span>` : nothing}
        <span class="soft small">${description}</span>
      </summary>
      ${
        isOpen
          ? html`<div class="config-inner">
              ${content()}
              ${
                isRemovable && context.mayChange
                  ? html`<div>
                      <button
                        type="button"
                        class="danger small-button"
                        @click=${() => context.set(path, undefined)}
                      >
                        ${context.say("config.remove", { name: title })}
                      </button>
                    </div>`
                  : nothing
              }
            </div>`
          : nothing
      }
    </details>
  `;
}

function mapOf(context: FieldContext, field: FormField & { kind: "map" }, path: ConfigPath): TemplateResult {
  const { say } = context;
  const present = readPath(context.value, path);
  const names = isTable(present) ? Object.keys(present) : [];
  return html`
    <div class="stack tight">
      ${names.length === 0 ? html`<p class="soft small">${say("config.empty")}</p>` : nothing}
      ${names.map((name) => folded(context, { title: name, description: "", path: [...path, name], isRemovable: true }, () => fieldsOf(context, { ...field.of, name }, [...path, name])))}
      ${
        context.mayChange
          ? html`
              <form
                class="row"
                @submit=${(event: SubmitEvent) => {
                  event.preventDefault();
                  const form = event.target as HTMLFormElement;
                  const name = String(new FormData(form).get("name") ?? "").trim();
                  if (name === "" || names.includes(name)) return;
                  context.set([...path, name], emptyOf(field.of));
                  context.open([...path, name], true);
                  form.reset();
                }}
              >
                <input
                  class="auto-width"
                  name="name"
                  placeholder=${say("config.add.name")}
                  aria-label="${say("config.add.name")}: ${formatPath(path)}"
                  autocomplete="off"
                  spellcheck="false"
                />
                <button>${icon("plus")} ${say("config.add")}</button>
              </form>
            `
          : nothing
      }
    </div>
  `;
}

function recordsOf(
  context: FieldContext,
  field: FormField & { kind: "records" },
  path: ConfigPath,
): TemplateResult {
  const { say } = context;
  const present = readPath(context.value, path);
  const items: unknown[] = Array.isArray(present) ? present : [];
  return html`
    <div class="stack tight">
      ${items.length === 0 ? html`<p class="soft small">${say("config.empty")}</p>` : nothing}
      ${items.map((item, index) =>
        folded(
          context,
          { title: titleOf(item, index), description: "", path: [...path, index], isRemovable: true },
          () => fieldsOf(context, field.of, [...path, index]),
        ),
      )}
      ${
        context.mayChange
          ? html`<div>
              <button
                type="button"
                @click=${() => {
                  context.set([...path, items.length], {});
                  context.open([...path, items.length], true);
                }}
              >
                ${icon("plus")} ${say("config.add")}
              </button>
            </div>`
          : nothing
      }
    </div>
  `;
}

const titleOf = (item: unknown, index: number): string => {
  const name = isTable(item) ? (item["name"] ?? item["id"] ?? item["agentId"]) : undefined;
  return typeof name === "string" ? name : `${index + 1}`;
};

/** What something new begins as. */
function emptyOf(field: FormField): unknown {
  switch (field.kind) {
    case "list":
    case "records":
      return [];
    case "switch":
      return true;
    case "choice":
      return field.options[0];
    case "number":
      return field.minimum ?? 0;
    case "text":
      return "";
    default:
      return {};
  }
}

function leaf(context: FieldContext, field: FormField, path: ConfigPath): TemplateResult {
  const { say } = context;
  const text = formatPath(path);
  const id = `key-${text}`;
  const wrong = context.wrong(path);
  const isChanged = context.isChanged(path);
  const source = context.sources[text];
  const sourceKey = `config.source.${source ?? "default"}`;
  const canReset = context.mayChange && (isChanged || source === "file");
  return html`
    <div class="config-field" data-path=${text}>
      <div class="row">
        <label for=${id}><strong class="mono">${field.name || text}</strong></label>
        <span class="small soft">${isTextKey(sourceKey) ? say(sourceKey) : source}</span>
        ${isChanged ? html`<span class="badge warn">${say("config.changed")}</span>` : nothing}
        <span class="grow"></span>
        ${
          canReset
            ? html`<button
                type="button"
                class="quiet icon-only"
                aria-label=${say("config.reset", { name: text })}
                title=${say("config.reset", { name: text })}
                @click=${() => context.reset(path)}
              >
                ${icon("undo")}
              </button>`
            : nothing
        }
      </div>
      ${input(context, field, path, id)}
      <p class="hint" id="${id}-hint">${hintOf(context, field, path)}</p>
      ${wrong === undefined ? nothing : html`<p class="wrong" role="alert">${wrong}</p>`}
    </div>
  `;
}

function hintOf({ say, value }: FieldContext, field: FormField, path: ConfigPath): string {
  const parts = [field.description];
  if (field.default !== undefined && field.kind !== "switch")
    parts.push(
      say("config.by-default", {
        value: typeof field.default === "string" ? field.default : JSON.stringify(field.default),
      }),
    );
  if (field.kind === "number" && field.minimum !== undefined)
    parts.push(
      field.maximum === undefined
        ? say("config.bounds", { minimum: field.minimum })
        : say("config.bounds.both", { minimum: field.minimum, maximum: field.maximum }),
    );
  if (field.kind === "list") parts.push(say("config.lines"));
  if (field.kind === "json") parts.push(say("config.json"));
  if (field.kind === "text" && field.isSecret) {
    const present = readPath(value, path);
    parts.push(say("config.secret"));
    if (typeof present === "string" && present !== "")
      parts.push(
        present.startsWith("secret:") ? say("config.secret.is", { name: present }) : say("config.secret.set"),
      );
  }
  return parts
    .filter(Boolean)
    .map((part) => (/[.!?。]$/.test(part) ? part : `${part}${/\p{Script=Han}/u.test(part) ? "。" : "."}`))
    .join(" ");
}

function input(context: FieldContext, field: FormField, path: ConfigPath, id: string): TemplateResult {
  const { say, mayChange } = context;
  const value = readPath(context.value, path);
  const shown = showField(field, value);
  const take = (text: string) => {
    const read = readField(field, text);
    context.setWrong(path, read.ok ? undefined : say(read.key));
    if (!read.ok) return;
    if (read.value === undefined) context.reset(path);
    else context.set(path, read.value);
  };
  const changed = (event: Event) => take((event.target as HTMLInputElement).value);
  const hint = `${id}-hint`;
  if (field.kind === "switch")
    return html`
      <select
        id=${id}
        class="auto-width"
        aria-describedby=${hint}
        ?disabled=${!mayChange}
        @change=${(event: Event) => context.set(path, (event.target as HTMLSelectElement).value === "true")}
      >
        ${value === undefined ? html`<option value="" selected disabled>${say("config.not-set")}</option>` : nothing}
        <option value="true" ?selected=${value === true}>${say("config.yes")}</option>
        <option value="false" ?selected=${value === false}>${say("config.no")}</option>
      </select>
    `;
  if (field.kind === "choice")
    return html`
      <select
        id=${id}
        class="auto-width"
        aria-describedby=${hint}
        ?disabled=${!mayChange}
        @change=${(event: Event) => context.set(path, (event.target as HTMLSelectElement).value)}
      >
        ${value === undefined ? html`<option value="" selected disabled>${say("config.not-set")}</option>` : nothing}
        ${field.options.map((option) => html`<option value=${option} ?selected=${option === value}>${option}</option>`)}
      </select>
    `;
  if (field.kind === "list" || field.kind === "json")
    return html`
      <textarea
        id=${id}
        class="mono"
        rows=${Math.min(10, Math.max(2, shown.split("\n").length))}
        aria-describedby=${hint}
        ?disabled=${!mayChange}
        spellcheck="false"
        .value=${live(shown)}
        @change=${changed}
      ></textarea>
    `;
  if (field.kind === "text" && field.isSecret)
    return html`<input
      id=${id}
      type="password"
      autocomplete="new-password"
      spellcheck="false"
      aria-describedby=${hint}
      ?disabled=${!mayChange}
      placeholder=${shown === "" ? say("config.not-set") : "••••••••"}
      .value=${live(context.isChanged(path) ? shown : "")}
      @change=${changed}
    />`;
  const suggestions = field.kind === "text" && field.suggestions.length > 0 ? field.suggestions : undefined;
  return html`
    <input
      id=${id}
      class=${field.kind === "number" ? "auto-width" : ""}
      type="text"
      inputmode=${field.kind === "number" ? (field.isWhole ? "numeric" : "decimal") : nothing}
      list=${suggestions ? `${id}-list` : nothing}
      autocomplete="off"
      spellcheck="false"
      aria-describedby=${hint}
      ?disabled=${!mayChange}
      placeholder=${say("config.not-set")}
      .value=${live(shown)}
      @change=${changed}
    />
    ${suggestions ? html`<datalist id="${id}-list">${suggestions.map((each) => html`<option value=${each}></option>`)}</datalist>` : nothing}
  `;
}
