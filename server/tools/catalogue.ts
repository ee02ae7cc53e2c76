import { applyCode } from './apply.ts';
import { browserScreenshot, click, consoleMessages, extract, navigate, scroll, typeText } from './browser.ts';
import { generateCode } from './code.ts';
import { backgroundProcess, createSandbox, destroySandbox, runCommand } from './commands.ts';
import { addMessage, advancePlan, setThinking, updateTodo } from './communication.ts';
import { appendFile, editFile, listFiles, readFile, writeFile } from './files.ts';
import { createAudioTool, generateImage } from './generate.ts';
import { viewFile } from './images.ts';
import { screenshot, startPreview } from './preview.ts';
import { renderFinal, renderPreview } from './render.ts';
import { matchGlob, matchGrep } from './search.ts';
import { execInShell, killShell, sendToShell, viewShell, waitForShell } from './shells.ts';
import type { SpeechServer } from './speech-server.ts';
import { showSurface } from './surfaces.ts';
import type { OwnTool } from './tool.ts';
import { createWebSearch } from './web-search.ts';

const toolsWith = (speech: SpeechServer | null): readonly OwnTool[] => [
  createSandbox,
  destroySandbox,
  writeFile,
  readFile,
  listFiles,
  editFile,
  appendFile,
  viewFile,
  matchGlob,
  matchGrep,
  runCommand,
  backgroundProcess,
  execInShell,
  viewShell,
  sendToShell,
  waitForShell,
  killShell,
  startPreview,
  screenshot,
  navigate,
  click,
  typeText,
  scroll,
  extract,
  browserScreenshot,
  consoleMessages,
  renderPreview,
  renderFinal,
  generateImage,
  createAudioTool(speech),
  generateCode,
  applyCode,
  updateTodo,
  setThinking,
  addMessage,
  showSurface,
  advancePlan,
];

/** Tools for every kind of project. A kind offers a selection by name, and its own tools. */
export const allTools = toolsWith(null);

/**
 * Returns the tools of this installation. The agent can search the web only if the operator has named a search server, and a
 * speech server replaces the voice of the sandbox.
 */
export function availableTools({
  searxngUrl,
  speech,
}: {
  searxngUrl: string | null;
  speech: SpeechServer | null;
}): readonly OwnTool[] {
  const tools = toolsWith(speech);
  return searxngUrl === null ? tools : [...tools, createWebSearch({ url: searxngUrl })];
}
