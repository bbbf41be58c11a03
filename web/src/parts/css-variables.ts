/**
 * Gives an element CSS variables: `<span ${cssVariables({ "--width": "40%" })}>`. They are set on the element itself, since the page's policy
 * refuses style attributes, also those that `styleMap` writes at first.
 */
import { nothing } from "lit";
import { directive, Directive, type ElementPart } from "lit/directive.js";

class CssVariables extends Directive {
  override render(_variables: Readonly<Record<`--${string}`, string>>): typeof nothing {
    return nothing;
  }

  override update(part: ElementPart, [variables]: Parameters<this["render"]>): typeof nothing {
    const { style } = part.element as HTMLElement;
    for (const [name, value] of Object.entries(variables))
      if (style.getPropertyValue(name) !== value) style.setProperty(name, value);
    return nothing;
  }
}

export const cssVariables = directive(CssVariables);
