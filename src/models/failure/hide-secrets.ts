/** Removes secrets from a text: those that are known, and whatever looks like one. */
export function hideSecrets(text: string, secrets: ReadonlyArray<string | undefined>): string {
  const known = new Set(secrets.flatMap((secret) => (secret === undefined ? [] : formsOf(secret))));
  let clean = text;
  // The long ones first: a part that is gone would hide the whole from us.
  for (const form of [...known].sort((left, right) => right.length - left.length))
    clean = clean.replaceAll(form, "…");
  return clean.replace(looksSecret, "…").replace(isMasked, "…").replace(inAddress, "$1…");
}

/** Shorter ones would take whole words out of the text. */
const fewestCharacters = 6;

/** A secret as a header carries it and without the scheme before it, as it stands in an address, and what `Basic` wraps. */
function formsOf(secret: string): string[] {
  const [, scheme = "", bare = ""] =
    /^(Bearer|Basic|Token|Api-?Key|Key)\s+(\S.*)$/i.exec(secret.trim()) ?? [];
  const pair = scheme.toLowerCase() === "basic" ? Buffer.from(bare, "base64").toString() : "";
  const password = pair.slice(pair.indexOf(":") + 1);
  return [secret.trim(), bare.trim(), pair, password]
    .flatMap((form) => [form, inUrl(form), JSON.stringify(form).slice(1, -1)])
    .filter((form) => form.length >= fewestCharacters);
}

function inUrl(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    // Half a character: no address can carry it.
    return "";
  }
}

/** Keys as providers repeat them in their refusals. */
const looksSecret =
  /(?<![\w-])(?:(?:sk|pk|gsk|xai|pplx|nvapi|hf|r8|ghp|gho|ghu|fw|ak|tp|csk|tgp)[-_][\w*.-]{6,}|AIza[\w-]{10,}|ya29\.[\w-]+|AKIA[A-Z0-9]{12,}|ey[A-Za-z0-9_-]{10,}\.[\w-]+\.[\w-]+|Bearer [\w.~+/*=-]{6,}|Basic (?=[A-Za-z+/]{0,300}[\d=])[\w+/=]{6,})/g;

/** What they have masked themselves shows its beginning and its end. */
const isMasked = /(?<![\w.-])[\w.-]*\*{3,}[\w*.-]*/g;

const inAddress = /([?&](?:key|api[-_]?key|token|access[-_]token|secret|password)=)[^&\s"'<>]+/gi;
