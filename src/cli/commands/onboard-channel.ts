/** A channel: the same steps as `pincer channels add`, with Telegram first. */
import { asPincerError, type ChannelKindView } from "@pincer/sdk";
import { sayError } from "../../infra/failure.ts";
import { withApi } from "./with-api.ts";
import { connectChannel, readSetting, tellConnected, type ConnectedChannel } from "./channels-add.ts";
import { during, missing, secretByFlags, tell, type Onboarding } from "./onboarding.ts";

type Keys = Parameters<typeof connectChannel>[2];

const usualChannel = "telegram";

/** Undefined: postponed, or no flags for it. Throws as `channels.add` if nobody can be asked again. */
export async function setUpChannel(onboarding: Onboarding): Promise<ConnectedChannel | undefined> {
  const { ask, options, place } = onboarding;
  const { say } = place.context;
  const isNamed = options.channel !== undefined || options.tokenStdin || options.tokenEnv !== undefined;
  if (!isNamed && !(await ask?.isWanted(say("onboard.want-telegram"), true))) return undefined;
  const channel = options.channel ?? usualChannel;
  const kind = await withApi("channels", place, async ({ api, language }) => {
    const { kinds } = await api.kinds({ channel, ...(language ? { language } : {}) });
    return kinds[0];
  });
  if (!kind) return undefined;
  const byFlags = await keysByFlags(onboarding, kind);
  if (ask && kind.keys.some(({ name, required }) => required && !Object.hasOwn(byFlags, name)))
    tell(onboarding, kind.steps.join("\n"));
  for (let isFirst = true; ; isFirst = false) {
    const keys = await askForKeys(onboarding, kind, isFirst ? byFlags : withoutSecrets(byFlags, kind));
    try {
      const work = () => connectChannel(place, channel, keys, { replace: true });
      const connected = await during(onboarding, say("onboard.trying", { what: channel }), work);
      if (!options.json) tellConnected(place.context, connected);
      return connected;
    } catch (error) {
      place.context.signal.throwIfAborted();
      if (!ask) throw error;
      ask.bad(sayError(asPincerError(error), say).message);
      if (!(await ask.isWanted(say("onboard.again"), true))) return undefined;
    }
  }
}

async function keysByFlags(onboarding: Onboarding, kind: ChannelKindView): Promise<Keys> {
  const { options } = onboarding;
  const keys: Keys = Object.fromEntries((options.set ?? []).map((given) => readSetting(given, kind)));
  const secret = kind.keys.find(({ secret: isSecret, required }) => isSecret && required);
  if (!secret) return keys;
  const flags = { stdin: options.tokenStdin, variable: options.tokenEnv };
  const value = await secretByFlags(onboarding, flags, secret.name);
  return value === undefined ? keys : { ...keys, [secret.name]: value };
}

async function askForKeys(onboarding: Onboarding, kind: ChannelKindView, given: Keys): Promise<Keys> {
  const { ask, place } = onboarding;
  const { say, redactor } = place.context;
  const keys = { ...given };
  const open = kind.keys.filter(({ name, required }) => required && !Object.hasOwn(keys, name));
  if (open.length === 0) return keys;
  if (!ask)
    throw missing(
      open.map(({ name, secret }) => (secret ? "--token-stdin, --token-env" : `--set ${name}=`)).join(", "),
    );
  for (const { name, description, secret } of open) {
    const about = description.split(/;|\.(?:\s|$)/)[0] ?? "";
    const question = say(secret ? "channels.add.ask-secret" : "channels.add.ask", { key: name, about });
    const value = (secret ? await ask.hide(question) : await ask.write(question)).trim();
    if (secret) redactor.add(name, value);
    keys[name] = value;
  }
  return keys;
}

/** Refused values are asked for again. */
const withoutSecrets = (keys: Keys, kind: ChannelKindView): Keys =>
  Object.fromEntries(
    Object.entries(keys).filter(([name]) => !kind.keys.some((key) => key.name === name && key.secret)),
  );
