import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drawingOf, problemsOf } from './drawing.ts';
import { applyMessages, parseSurface, printSurface, readSurface } from './messages.ts';

const parts = [
  { id: 'title', type: 'Text', text: 'Opening hours', usageHint: 'h1' },
  { id: 'name', type: 'TextInput', label: 'File name', statePath: '/name', hint: 'Letters and digits', required: true },
  { id: 'rate', type: 'TextInput', label: 'Rate', statePath: '/rate', inputType: 'number' },
  { id: 'size', type: 'Select', label: 'Size', statePath: '/size', options: ['16:9', { label: 'Upright', value: '9:16' }] },
  { id: 'keep', type: 'Checkbox', label: 'Keep the old render', statePath: '/keep' },
  { id: 'note', type: 'Alert', title: 'Two films', message: 'Both change.', variant: 'warning' },
  { id: 'films', type: 'Table', caption: 'Films', columns: [{ title: 'Film', path: 'name' }], statePath: '/films' },
  { id: 'make', type: 'Button', label: 'Make films', variant: 'primary' },
  { id: 'drop', type: 'Button', label: 'Delete', variant: 'danger', action: 'remove' },
];
const state = { name: '', rate: 'fast', size: '9:16', keep: true, films: [{ name: 'Tram' }] };
const update = (components: readonly object[] = parts, more: object = { state }) => ({
  surfaceUpdate: { surfaceId: 'hours', components, ...more },
});
const read = (...messages: unknown[]) => {
  const surface = readSurface(messages);
  if (!surface.ok) throw new Error(`${surface.issue.code}: ${surface.issue.message}`);
  return surface.value;
};

describe('surfaceUpdate', () => {
  it('V8: becomes a surface of Koda’s own components, with the buttons in one row at the end', () => {
    const { components, data } = read(update());
    expect([...components.values()].map(({ component }) => component)).toEqual([
      ...['Column', 'Row', 'Text', 'TextField', 'TextField', 'ChoicePicker', 'CheckBox', 'Alert', 'Table'],
      ...['Button', 'Text', 'Button', 'Text'],
    ]);
    expect(components.get('root')).toMatchObject({
      children: ['title', 'name', 'rate', 'size', 'keep', 'note', 'films', 'root-buttons'],
    });
    expect(components.get('title')).toMatchObject({ variant: 'h1' });
    expect(components.get('drop')).toMatchObject({ variant: 'destructive', action: { event: { name: 'remove' } } });
    expect(components.get('make')).toMatchObject({
      action: { event: { context: { name: { path: '/name' }, size: { path: '/size' }, keep: { path: '/keep' } } } },
    });
    expect(data).toEqual({ ...state, size: ['9:16'] });
  });

  it('V8: checks what is required and what has a form', () => {
    const surface = read(update());
    const root = drawingOf(surface);
    expect(root && problemsOf(root, surface.data)).toEqual([
      { key: 'root/name', label: 'File name', message: 'Fill this in.' },
      { key: 'root/rate', label: 'Rate', message: 'Not a number. Write one such as 12.5.' },
    ]);
  });

  it('V8: a later one replaces the parts and keeps the state, unless it has its own', () => {
    const kept = applyMessages(read(update()), update([{ id: 'only', type: 'Text', text: 'Done' }], {}));
    expect(kept).toMatchObject({ ok: true, value: { data: { name: '', size: ['9:16'] } } });
    if (kept.ok) expect([...(kept.value?.components.keys() ?? [])]).toEqual(['root', 'only']);
    expect(applyMessages(read(update()), update(parts, { state: { name: 'a' } }))).toMatchObject({
      value: { data: { name: 'a' } },
    });
  });

  it('V8: an unknown part, a missing field, and a path out of the state are refused with their codes', () => {
    const issueOf = (part: object) => {
      const surface = readSurface([update([part])]);
      return surface.ok ? null : surface.issue;
    };
    expect(issueOf({ id: 'a', type: 'Script' })).toMatchObject({
      code: 'UNKNOWN_COMPONENT',
      field: '0.surfaceUpdate.components.0.type',
    });
    expect(issueOf({ id: 'a', type: 'TextInput', label: 'A' })).toMatchObject({
      code: 'SCHEMA_INVALID',
      field: '0.surfaceUpdate.components.0.statePath',
    });
    for (const statePath of ['/__proto__/a', '../a', '/a/../b']) {
      expect(issueOf({ id: 'a', type: 'Checkbox', label: 'A', statePath })?.code).toBe('SECURITY_VIOLATION');
    }
    expect(issueOf({ id: 'root', type: 'Text', text: 'a' })?.code).toBe('INVALID_REFERENCE');
  });

  it('V2 V8: every example in the documentation is a surface that can be drawn', () => {
    const guide = readFileSync(new URL('../../../docs/surfaces.md', import.meta.url), 'utf8');
    const examples = [...guide.matchAll(/```json\n([\s\S]*?)```/g)].map(([, text = '']) => text);
    expect(examples.length).toBeGreaterThan(2);
    for (const example of examples) {
      const surface = parseSurface(example);
      expect(surface).toMatchObject({ ok: true });
      if (surface.ok) expect(drawingOf(surface.value)).not.toBeNull();
    }
  });

  it('V2 V8: printed, it is read as the same surface', () => {
    const words = fc.string({ minLength: 1, maxLength: 30 }).filter((text) => !/[<:]/.test(text));
    const path = fc.stringMatching(/^\/[a-z]{1,8}$/);
    const field = { label: words, statePath: path, required: fc.boolean() };
    const part = fc.oneof(
      fc.record({ type: fc.constant('Text'), text: words, usageHint: fc.constantFrom('h1', 'h2', 'p', 'span') }),
      fc.record({ type: fc.constant('TextInput'), ...field, inputType: fc.constantFrom('text', 'multiline', 'number', 'email') }),
      fc.record({ type: fc.constant('Select'), ...field, options: fc.array(words, { minLength: 1, maxLength: 9 }) }),
      fc.record({ type: fc.constant('Checkbox'), ...field }),
      fc.record({ type: fc.constant('Alert'), title: words, message: words, variant: fc.constantFrom('info', 'error') }),
      fc.record({
        ...{ type: fc.constant('Table'), caption: words, statePath: path },
        columns: fc.array(fc.record({ title: words, path: fc.constant('name') }), { minLength: 1, maxLength: 3 }),
      }),
      fc.record({ type: fc.constant('Button'), label: words, variant: fc.constantFrom('primary', 'secondary', 'danger') }),
    );
    const values = fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), fc.oneof(words, fc.integer(), fc.boolean()));
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 20 }), values, (list, state) => {
        const surface = read(
          update(
            list.map((one, index) => ({ id: `c${index}`, ...one })),
            { state },
          ),
        );
        expect(parseSurface(printSurface(surface))).toEqual({ ok: true, value: surface });
      }),
      { numRuns: 200 },
    );
  });
});
