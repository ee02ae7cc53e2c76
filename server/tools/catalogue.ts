import { generateCode } from './code.ts';
import { createSandbox, destroySandbox, runCommand } from './commands.ts';
import { addMessage, requestApproval, setThinking, updatePlan, updateTodo } from './communication.ts';
import type { Tool } from './define.ts';
import { editFile, listFiles, readFile, writeFile } from './files.ts';
import { checkAnimation, screenshot, startPreview } from './preview.ts';
import { renderFinal, renderPreview } from './render.ts';
import { execInShell, killShell, sendToShell, viewShell, waitForShell } from './shells.ts';

/** Every tool there is; a kind of project offers those that it names. */
export const allTools: readonly Tool[] = [
  createSandbox,
  destroySandbox,
  writeFile,
  readFile,
  listFiles,
  editFile,
  runCommand,
  execInShell,
  viewShell,
  sendToShell,
  waitForShell,
  killShell,
  startPreview,
  screenshot,
  checkAnimation,
  renderPreview,
  renderFinal,
  generateCode,
  updateTodo,
  setThinking,
  addMessage,
  updatePlan,
  requestApproval,
];
