/**
 * What a line is found by. FTS5 folds diacritics and stems English; here is what it cannot do: Chinese, Japanese and Korean as pairs of
 * characters, irregular English forms, and identifiers as one term besides their parts.
 */
import type { MemoryLine } from "@pincer/sdk";
import { baseForm } from "./irregular-forms.ts";

/** Raise it when the terms change: the index is then rebuilt. */
export const termsVersion = 1;

/** The words of a line and, apart from them, who said it and when, each as terms between spaces. */
export function indexTerms(line: MemoryLine): { body: string; head: string } {
  return {
    body: termsOf(line.text).join(" "),
    head: [...termsOf(line.who ?? ""), ...dayTerms(line.time)].join(" "),
  };
}

/** The terms of a text, in its order. Upper and lower case, wide and narrow forms give the same. */
export function termsOf(text: string): string[] {
  const terms: string[] = [];
  for (const [piece] of foldText(text).matchAll(pieces)) {
    if (isPaired(piece)) terms.push(...pairsOf(piece));
    else terms.push(...wordsOf(piece));
  }
  return terms;
}

/** One form for all ways to write the same letters. */
export function foldText(text: string): string {
  const folded = text.toWellFormed().normalize("NFKC").toUpperCase().toLowerCase();
  return folded.normalize("NFKC").replaceAll("ς", "σ").replaceAll(/[’‘ʼ]/gu, "'");
}

/** The day, month and year of a line, as terms that no text contains. */
function dayTerms(time: string | undefined): string[] {
  const day = /^(\d{4})-(\d{2})-(\d{2})/u.exec(time ?? "");
  if (!day) return [];
  const [, year = "", month = "", date = ""] = day;
  return [`day${year}${month}${date}`, `month${year}${month}`, `year${year}`];
}

export function isPaired(piece: string): boolean {
  return pairedStart.test(piece);
}

/** The mark between the parts of an identifier that is kept as one term; to FTS5 it is a letter. */
const joint = "ː";
const longestIdentifier = 200;

const paired = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u30FC\u3005`;
const pairedStart = new RegExp(`^[${paired}]`, "u");
const word = String.raw`[[\p{L}\p{N}\p{M}]--[${paired}]]+`;
const pieces = new RegExp(String.raw`[${paired}]+|${word}(?:['_.:\/\\@#+~\-]+${word})*`, "gv");

/** Every two neighbours, and the last alone: with it, one character is found as the beginning of a term. */
function pairsOf(run: string): string[] {
  const characters = Array.from(run);
  return characters.map((character, at) => character + (characters[at + 1] ?? ""));
}

function wordsOf(piece: string): string[] {
  const parts = piece.split(/[^\p{L}\p{N}\p{M}]+/u);
  if (parts.length === 1) return [baseForm(piece)];
  const contraction = /^(\p{L}+)'(?:s|re|ve|ll|d|m|t)?$/u.exec(piece);
  if (contraction) return [baseForm(contraction[1] ?? "")];
  return [...parts.map(baseForm), ...joinedForms(piece)];
}

/** `src/a-b/c.ts:12` is found as a whole, and by `src/a-b/c.ts`; `well-being` also as `wellbeing`. */
function joinedForms(piece: string): string[] {
  const identifier = piece.replaceAll(/[^\p{L}\p{N}\p{M}]+/gu, joint).slice(0, longestIdentifier);
  const withoutLine = /^(.*\p{L}.*):\d+(?::\d+)?$/u.exec(piece)?.[1];
  const closed = /^\p{L}+-\p{L}+$/u.test(piece) ? [piece.replace("-", "")] : [];
  return [identifier, ...closed, ...(withoutLine ? joinedForms(withoutLine).slice(0, 1) : [])];
}
