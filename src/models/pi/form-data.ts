/**
 * What the build puts in the place of `FormData` in the libraries: they ask of every body whether it is one, and to ask Node's own loads
 * the whole of its `fetch`.
 */
export class FormDataOfNode {
  static [Symbol.hasInstance](value: unknown): boolean {
    return Object.prototype.toString.call(value) === "[object FormData]";
  }

  /** Returns Node's own: code that builds a form needs all of it. */
  constructor() {
    return new globalThis.FormData();
  }
}
