/** How the commands that a text names are typed here: a checkout that nobody linked has no `pincer`, but `npx pincer` and `npm start`. */
import { existsSync, realpathSync } from "node:fs";
import { basename, delimiter, dirname, join } from "node:path";

export interface TypingPlace {
  environment: Readonly<Record<string, string | undefined>>;
  /** The script that runs, as it was called. */
  script: string | undefined;
}

/** Changes `pincer …` in a text to what works here. What works is looked up once, with the first text that names a command. */
export function createTypedHere(place: TypingPlace): (text: string) => string {
  let isLinked: boolean | undefined;
  return function typedHere(text) {
    if (!command.test(text)) return text;
    isLinked ??= isOnPath(place.environment) || !isCheckout(place.script);
    if (isLinked) return text;
    const isNpmStart = place.environment["npm_lifecycle_event"] === "start";
    const started = isNpmStart
      ? text.replaceAll(run, (_run, flag?: string) => (flag ? "npm start -- --" : "npm start"))
      : text;
    return started.replaceAll(everyCommand, "npx pincer");
  };
}

const command = /(?<![\w./-]|npx )pincer(?= [a-z<])/;
const run = /(?<![\w./-])pincer gateway run\b( --)?/g;
const everyCommand = new RegExp(command, "g");

/** npm puts a checkout's own programs first, for what it runs itself alone. */
function isOnPath({ PATH = "" }: TypingPlace["environment"]): boolean {
  const places = PATH.split(delimiter).filter((each) => each !== "" && basename(each) !== ".bin");
  return places.some((each) => existsSync(join(each, "pincer")));
}

/** The sources lie beside the program; a package brings only what was built. */
function isCheckout(script: string | undefined): boolean {
  if (script === undefined) return false;
  try {
    return existsSync(join(dirname(dirname(realpathSync(script))), "src", "cli"));
  } catch {
    // Gone meanwhile: nothing is known, and nothing is changed.
    return false;
  }
}
