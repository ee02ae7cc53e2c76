import { readFileSync } from 'node:fs';
import { toolNames } from '../../contract/tools.ts';
import type { KindDefinition } from '../kind.ts';

const prompt = (name: string) => readFileSync(new URL(`./${name}.md`, import.meta.url), 'utf8');
const closing = [
  { key: 'check', title: 'Check the code and the frames' },
  { key: 'preview', title: 'Render the preview' },
];
const titleCharacters = 120;

/** The animation generator, the reference kind: a sentence becomes a film of Theatre.js and React Three Fiber. */
export const animationKind: KindDefinition = {
  id: 'animation',
  title: 'Animation',
  capabilities: ['plan', 'preview', 'render', 'assets'],
  services: ['sandbox', 'dev-server', 'browser', 'encoder'],
  template: 'animation',
  limits: { maxSteps: 400, maxIdenticalCalls: 5, maxRunMinutes: 90, maxTokens: 20_000_000, maxCostUsd: 25 },
  inputs: ['prompt', 'style', 'assets'],
  outputs: ['video', 'thumbnail'],
  tools: toolNames,
  prompts: { orchestrator: prompt('orchestrator'), generator: prompt('generator') },
  planTodos: (plan) => [
    { key: 'setup', title: 'Lay the base of the film' },
    ...plan.scenes.map((scene) => ({ key: `scene:${scene.number}`, title: `Animate “${scene.title}”` })),
    ...closing,
  ],
  changeTodos: (message) => [{ key: `change:${message.id}`, title: shorten(`Change: ${message.content}`) }, ...closing],
  isClosing: (key) => closing.some((todo) => todo.key === key),
};

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= titleCharacters ? line : `${line.slice(0, titleCharacters - 1)}…`;
}
