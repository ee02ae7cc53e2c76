import { expect, it } from 'vitest';
import { SceneEdits } from './scene-edits.ts';

const a = { title: 'A', items: [{ text: 'Tea', done: false }] };
const b = { title: 'B', items: [] };
const c = { title: 'C', items: [] };

function edited(): SceneEdits {
  const edits = new SceneEdits((_, props) => props);
  edits.loaded('scene-1', a);
  edits.replace('scene-1', b);
  return edits;
}

it('an edit replaces the props of its scene alone, until it is taken back', () => {
  const edits = edited();
  edits.loaded('scene-2', a);
  expect(edits.of('scene-1')).toBe(b);
  expect(edits.of('scene-2')).toBeNull();
  edits.replace('scene-1', null);
  expect(edits.of('scene-1')).toBeNull();
});

it('an edit of an unknown scene is ignored, also when the scene appears later', () => {
  const edits = new SceneEdits((_, props) => props);
  edits.replace('scene-9', b);
  edits.loaded('scene-9', a);
  expect(edits.of('scene-9')).toBeNull();
});

it('the file ends the edit once it has the same content, in any order of fields', () => {
  const edits = edited();
  edits.loaded('scene-1', { items: [], title: 'B' });
  expect(edits.of('scene-1')).toBeNull();
});

it('typing back to the content of the file ends the edit', () => {
  const edits = edited();
  edits.replace('scene-1', { items: [{ done: false, text: 'Tea' }], title: 'A' });
  expect(edits.of('scene-1')).toBeNull();
});

it('an outdated file does not end an edit in progress', () => {
  const edits = edited();
  edits.replace('scene-1', c);
  edits.loaded('scene-1', b);
  expect(edits.of('scene-1')).toBe(c);
  edits.loaded('scene-1', a);
  expect(edits.of('scene-1')).toBe(c);
});

it('a file that someone else has changed ends the edit', () => {
  const edits = edited();
  edits.loaded('scene-1', c);
  expect(edits.of('scene-1')).toBeNull();
});
