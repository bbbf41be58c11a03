/**
 * `<p-markdown .text .say>`: Markdown as inert HTML: no script, no style, no form, no frame, nothing fetched from
 * elsewhere. Code has a copy button. The text may still be growing.
 */
import DOMPurify from "dompurify";
import { LitElement, type PropertyDeclarations } from "lit";
import { isKeptClass, isKeptField, isOwnPicture } from "./kept-markup.ts";
import { createSay, type Say } from "../texts/texts.ts";
import { copyText } from "./copy-text.ts";
import { markdownToHtml } from "./markdown-html.ts";

const purify = DOMPurify(window);
const allowed = {
  ALLOWED_TAGS: [
    "p",
    "br",
    "hr",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "ul",
    "ol",
    "li",
    "blockquote",
    "pre",
    "code",
    "em",
    "strong",
    "del",
    "a",
    "table",
    "thead",
    "tbody",
    "tr",
    "th",
    "td",
    "input",
    "img",
  ],
  ALLOWED_ATTR: ["href", "title", "class", "type", "checked", "disabled", "align", "start", "alt", "src"],
  ALLOWED_URI_REGEXP: /^(?:https?|mailto|tel):|^[/#]/i,
  ALLOW_DATA_ATTR: false,
  RETURN_DOM_FRAGMENT: true,
} as const;

/** Their values are no addresses, and would be left out as bad ones: columns lose their side, lists their first number, boxes their kind. */
const notAddresses = ["align", "start", "type"] as const;

class PageMarkdown extends LitElement {
  static override properties: PropertyDeclarations = {
    text: { attribute: false },
    say: { attribute: false },
  };

  declare text: string;
  declare say: Say;

  constructor() {
    super();
    this.text = "";
    this.say = createSay("en");
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.classList.add("markdown");
  }

  protected override updated(): void {
    const made = purify.sanitize(markdownToHtml(this.text), {
      ...allowed,
      ALLOWED_TAGS: [...allowed.ALLOWED_TAGS],
      ALLOWED_ATTR: [...allowed.ALLOWED_ATTR],
      ADD_URI_SAFE_ATTR: [...notAddresses],
    });
    for (const element of made.querySelectorAll("[class]")) keepLanguage(element);
    for (const field of made.querySelectorAll("input")) keepBox(field);
    for (const image of made.querySelectorAll("img")) replaceByLink(image);
    for (const link of made.querySelectorAll("a")) openElsewhere(link);
    for (const code of made.querySelectorAll("pre")) frameCode(code, this.say);
    takeOver(this, made);
  }
}

/** Parts at the beginning that have not changed stay as they are, so that a growing text keeps what is selected or scrolled. */
function takeOver(host: HTMLElement, made: DocumentFragment): void {
  const fresh = [...made.childNodes].filter(isSeen);
  const old = [...host.childNodes].filter(isSeen);
  const same = fresh.findIndex((each, index) => !old[index]?.isEqualNode(each));
  const kept = same === -1 ? fresh.length : same;
  for (const stale of old.slice(kept)) stale.remove();
  host.append(...fresh.slice(kept));
}

const isSeen = (node: ChildNode): boolean =>
  node instanceof Element || (node instanceof Text && node.data.trim() !== "");

function keepLanguage(element: Element): void {
  if (!isKeptClass(element.tagName, element.className)) element.removeAttribute("class");
}

function keepBox(field: HTMLInputElement): void {
  if (!isKeptField(field.type)) return field.remove();
  field.disabled = true;
  // The text beside it is its label for screen readers.
  field.setAttribute("aria-label", (field.parentElement?.textContent ?? "").trim().slice(0, 200));
}

/** Loading a remote picture would reveal that it is viewed: it becomes a link. */
function replaceByLink(image: HTMLImageElement): void {
  const source = image.getAttribute("src") ?? "";
  if (isOwnPicture(source)) return;
  const link = document.createElement("a");
  link.href = source;
  link.textContent = image.alt === "" ? source : image.alt;
  image.replaceWith(link);
}

function openElsewhere(link: HTMLAnchorElement): void {
  if (link.getAttribute("href")?.startsWith("#")) return;
  link.target = "_blank";
  link.rel = "noopener noreferrer nofollow";
}

function frameCode(block: HTMLElement, say: Say): void {
  const code = block.querySelector("code");
  const title = block.querySelector("em");
  const language = title?.textContent ?? "";
  title?.remove();
  const frame = document.createElement("div");
  frame.className = "code-block";
  const head = document.createElement("div");
  head.className = "code-head";
  const name = document.createElement("span");
  name.textContent = language === "" ? say("shell.code") : language;
  const button = document.createElement("button");
  button.type = "button";
  button.className = "quiet";
  button.textContent = say("shell.copy");
  button.addEventListener("click", async () => {
    const isCopied = await copyText(code?.textContent ?? "");
    button.textContent = say(isCopied ? "shell.copied" : "shell.not-copied");
    setTimeout(() => (button.textContent = say("shell.copy")), 1500);
  });
  head.append(name, button);
  block.replaceWith(frame);
  block.tabIndex = 0;
  frame.append(head, block);
}

if (!customElements.get("p-markdown")) customElements.define("p-markdown", PageMarkdown);
