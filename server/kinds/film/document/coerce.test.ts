import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formats } from '../formats/catalogue.ts';
import { coerceFilm } from './coerce.ts';

const look = { title: 'Film', style: 'smooth', theme: 'studio', aspect: '16:9', fps: 60, colors: { accent: '#22cc88' } };
const filmOf = (scene: unknown) => ({ ...look, scenes: [scene] });
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Applies a slip to the values inside another. */
const inside = (value: unknown, slip: (inner: unknown) => unknown): unknown =>
  JSON.parse(JSON.stringify(value), (key, inner) => (key === '' ? inner : slip(inner)));

const valueSlips = {
  'numbers as texts': (inner: unknown) => (typeof inner === 'number' ? String(inner) : inner),
  'booleans as texts': (inner: unknown) => (typeof inner === 'boolean' ? String(inner) : inner),
  'JSON as texts': (inner: unknown) => (isObject(inner) ? JSON.stringify(inner) : inner),
  'absent for null': (inner: unknown) => (inner === null ? undefined : inner),
  'upper-case colours': (inner: unknown) => (typeof inner === 'string' && inner.startsWith('#') ? inner.toUpperCase() : inner),
} as const;
const slipNames = Object.keys(valueSlips) as (keyof typeof valueSlips)[];

const idSlips: readonly ((id: string) => string)[] = [
  (id) => id,
  (id) => id.toUpperCase(),
  (id) => id.replaceAll('-', '_'),
  (id) => id.replaceAll('-', ' '),
];
const sceneSlips: readonly ((format: string, props: object) => unknown)[] = [
  (format, props) => ({ format, props }),
  (format, props) => ({ type: format, props }),
  (format, props) => ({ kind: format, fields: props }),
  (format, props) => ({ format, content: props }),
  (format, props) => ({ format, props: JSON.stringify(props) }),
  (format, props) => ({ format, ...props }),
  (format, props) => JSON.stringify({ format, props }),
];

describe('a film document from a language model', () => {
  it('A4: stays as it is if it is valid', () => {
    for (const { id, example } of formats) {
      const film = filmOf({ format: id, props: example });
      expect(coerceFilm(film)).toEqual({ value: film, notes: [], unknown: [] });
    }
    const code = filmOf({ code: true, seconds: 3, title: 'A dance', description: 'Two ribbons dance.' });
    expect(coerceFilm(code)).toEqual({ value: code, notes: [], unknown: [] });
  });

  it('A4: is mended after any of the usual slips', () => {
    const slips = fc.record({
      format: fc.constantFrom(...formats),
      values: fc.subarray(slipNames),
      id: fc.constantFrom(...idSlips),
      scene: fc.constantFrom(...sceneSlips),
      isText: fc.boolean(),
    });
    fc.assert(
      fc.property(slips, ({ format, values, id, scene, isText }) => {
        const props = values.reduce<unknown>((value, name) => inside(value, valueSlips[name]), format.example) as object;
        const film = { ...look, fps: '60', style: 'Smooth', colors: { accent: '2C8' }, scenes: [scene(id(format.id), props)] };
        const mended = coerceFilm(isText ? JSON.stringify(film) : film);
        expect(mended).toEqual({
          value: { ...filmOf({ format: format.id, props: format.example }), colors: { accent: '#22cc88' } },
          notes: [],
          unknown: [],
        });
      }),
      { numRuns: 400 },
    );
  });

  it('A4: keeps a text that is too long, so that the validation names it', () => {
    const text = 'x'.repeat(200);
    const props = { text, emphasis: [], kicker: null, subtitle: null, entrance: null, icons: [] };
    expect(coerceFilm(filmOf({ format: 'title', props })).value).toEqual(filmOf({ format: 'title', props }));
  });

  it('A4: finds the field that another name means', () => {
    const mended = (format: string, props: object) => coerceFilm(filmOf({ format, props }));
    expect(mended('chat', { title: null, messages: [{ sender: 'Ines', side: 'left', message: 'On the train?' }] })).toEqual({
      value: filmOf({ format: 'chat', props: { title: null, messages: [{ who: 'Ines', side: 'left', text: 'On the train?' }] } }),
      notes: [],
      unknown: [],
    });
    const timeline = { title: null, events: [{ year: '1969', event: 'The Moon' }] };
    expect(mended('timeline', timeline).value).toMatchObject({
      scenes: [{ props: { entries: [{ date: '1969', label: 'The Moon' }] } }],
    });
    expect(mended('price', { old: '€ 99', now: 57 }).value).toMatchObject({ scenes: [{ props: { was: '€ 99', now: '57' } }] });
    const checklist = { title: null, items: [{ text: 'Tent', checked: false }] };
    expect(mended('checklist', checklist).value).toMatchObject({ scenes: [{ props: { items: [{ done: false }] } }] });
    expect(mended('ambient', { type: 'Snow' }).value).toMatchObject({ scenes: [{ props: { kind: 'snow' } }] });
    expect(mended('countdown', { from: 3, to: 1, final: 'Go' }).value).toMatchObject({
      scenes: [{ props: { finalWord: 'Go' } }],
    });
    // A field that has a value keeps it.
    const { unknown } = mended('lower-third', { name: 'Ada', sender: 'Byron', role: null });
    expect(unknown).toEqual([{ scene: 0, name: 'sender', value: 'Byron', known: ['name', 'role'] }]);
  });

  it('A4: takes one value for a list, a text for an entry, and a written number for its value', () => {
    const bars = { title: null, items: ['Oslo', { label: 'Bergen', value: '1,204' }, { label: 'Bodø', value: '38,5 %' }] };
    expect(coerceFilm(filmOf({ format: 'bar-chart', props: bars })).value).toMatchObject({
      scenes: [{ props: { items: [{ label: 'Oslo' }, { value: 1204 }, { value: 38.5 }] } }],
    });
    const german = {
      title: null,
      items: [
        { label: 'Montag', value: '1.204' },
        { label: 'Dienstag', value: '38,5' },
      ],
    };
    expect(coerceFilm(filmOf({ format: 'bar-chart', props: german }), 'de').value).toMatchObject({
      scenes: [{ props: { items: [{ value: 1204 }, { value: 38.5 }] } }],
    });
    const code = { code: ['const a = 1;', 'const b = 2;'] };
    expect(coerceFilm(filmOf({ format: 'code', props: code })).value).toMatchObject({
      scenes: [{ props: { code: 'const a = 1;\nconst b = 2;' } }],
    });
    const title = { text: 'We moved!', emphasis: 'moved' };
    expect(coerceFilm(filmOf({ format: 'title', props: title })).value).toMatchObject({
      scenes: [{ props: { emphasis: ['moved'] } }],
    });
    const terminal = { blocks: { input: 'ls', output: 'a\nb' } };
    expect(coerceFilm(filmOf({ format: 'terminal', props: terminal })).value).toMatchObject({
      scenes: [{ props: { blocks: [{ input: 'ls', output: ['a', 'b'] }] } }],
    });
  });

  it('A4: loses unknown fields, with a note', () => {
    const { value, notes } = coerceFilm({
      ...filmOf({ format: 'lower-third', mood: 1, props: { name: 'Ada', mood: 1 } }),
      mood: 1,
    });
    expect(value).toEqual(filmOf({ format: 'lower-third', props: { name: 'Ada', role: null } }));
    expect(notes).toEqual(['mood', 'Scene 1, mood', 'Scene 1, mood'].map((field) => expect.stringMatching(`^${field}:`)));
  });

  it('A4: takes the nearest icon for one that does not exist, and names both', () => {
    const item = (icon: string) => ({ text: 'Tea', icon, done: true });
    const icons = ['lucide:coffee-cup', 'coffee', '☕', 'fluent:rabit', 'lucide:zzyzx-quorble'];
    const { value, notes } = coerceFilm(filmOf({ format: 'checklist', props: { title: null, items: icons.map(item) } }));
    const taken = ['lucide:coffee', 'lucide:coffee', 'fluent:hot-beverage', 'fluent:rabbit', 'lucide:zzyzx-quorble'];
    expect(value).toEqual(filmOf({ format: 'checklist', props: { title: null, items: taken.map(item) } }));
    expect(notes).toHaveLength(5);
    expect(notes[0]).toMatch(/lucide:coffee-cup .* lucide:coffee /);
    expect(notes[4]).toContain('no icon has a similar name');
  });
});
