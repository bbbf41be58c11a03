export { createHandClock, type HandClock } from "./hand-clock.ts";
export { createScriptedModel, type ScriptedModel, type ScriptedStep } from "./scripted-model.ts";
