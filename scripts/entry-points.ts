/**
 * What a test calls to reach the product as its users do: the built program, the whole app, a command, a method of a
 * gateway, or the network of a channel. A test that calls none of these tests units.
 */
export const entryPoints: Readonly<Record<string, readonly string[]>> = {
  // The built program, in a process of its own, and its page in a browser.
  "test/run-pincer.ts": ["makeHome", "pincerBin", "startGateway"],
  "test/telegram-life.ts": ["createTelegramLife"],
  "test/long-conversation.ts": ["holdConversation"],
  "test/testing/hostile-page.ts": ["describeHostilePage"],
  "test/browser.ts": ["sharedBrowser"],
  "test/web/stage.ts": ["createStage"],
  "test/web/testing/every-view.ts": ["describeEveryView"],
  // The whole app in the process of the test.
  "src/app/create-app.ts": ["createApp"],
  "src/app/create-gateway.ts": ["createGateway"],
  "src/app/open-app.ts": ["openApp"],
  "src/app/run-gateway.ts": ["runGateway"],
  "src/app/testing/talk-stage.ts": ["openTalkStage"],
  "bench/gate/run-cases.ts": ["runCases"],
  // Commands, as they are typed.
  "src/cli/command-context.ts": ["createContext"],
  "src/cli/testing/command-home.ts": ["createCommandHome"],
  "src/cli/testing/fake-terminal.ts": ["runCommand"],
  "src/cli/testing/model-home.ts": ["createModelHome"],
  // Methods and routes of a gateway, through its sockets.
  "src/app/testing/api-stage.ts": ["createApiStage"],
  "src/app/testing/gateway-in-home.ts": ["startGatewayInHome"],
  "src/app/testing/openai-stage.ts": ["openOpenAiStage"],
  "src/gateway/testing/test-gateway.ts": ["startTestGateway"],
  "src/gateway/testing/test-server.ts": ["startTestServer"],
  // The networks of channels.
  "channels/irc/testing/irc-server.ts": ["startIrcServer"],
  "channels/irc/testing/ngircd.ts": ["startNgircd"],
  "channels/telegram/src/testing/fake-bot-api.ts": ["createFakeBotApi"],
  "channels/telegram/src/testing/telegram-stage.ts": ["createTelegramStage"],
};

/** Names that a file imports, by the path of the module from the root of the repository. */
export type ImportedNames = ReadonlyMap<string, readonly string[]>;

export const importsEntryPoint = (imports: ImportedNames, known = entryPoints): boolean =>
  [...imports].some(([path, names]) => names.some((name) => known[path]?.includes(name)));
