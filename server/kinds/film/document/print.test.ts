import { transformSync } from 'esbuild';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Film, FormatScene } from '#kinds/film/contract/film.ts';
import { formats } from '../formats/catalogue.ts';
import { readFilm } from './document.ts';
import { printFilm, printScene } from './print.ts';

const scene = (props: Record<string, unknown>): FormatScene => ({ id: 'scene-1', seconds: 3, format: 'checklist', props });

function propsIn(code: string): unknown {
  const { code: script } = transformSync(code, { loader: 'tsx', jsx: 'transform', jsxFactory: 'h', format: 'cjs' });
  const passed: unknown[] = [];
  const h = (type: unknown, props: unknown) => {
    if (type === 'ChecklistFormat') passed.push(props);
    return null;
  };
  const module = { exports: {} as { Overlay?: () => void } };
  const require = () => ({
    ChecklistFormat: 'ChecklistFormat',
    FormatScene: 'FormatScene',
    sceneProps: (_id: string, props: object) => props,
  });
  new Function('h', 'require', 'module', 'exports', script)(h, require, module, module.exports);
  module.exports.Overlay?.();
  expect(passed).toHaveLength(1);
  return passed[0];
}

const film: Film = {
  version: 3,
  title: 'It’s “here”',
  style: 'smooth',
  theme: 'studio',
  aspect: '16:9',
  fps: 60,
  seed: 1,
  language: 'en',
  colors: {},
  music: '/assets/song.mp3',
  scenes: [
    {
      ...scene({
        title: 'Packed for Grandma’s',
        items: [{ text: 'Bear', icon: 'lucide:coffee', done: true }],
      }),
    },
    { id: 'dance', seconds: 2, title: 'A dance', description: 'It dances.', code: true },
  ],
};

describe('printed code', () => {
  it('A7: is the fields of the scene and the component that draws them', () => {
    const [comment, ...code] = (printFilm(film).find(({ path }) => path === 'src/scenes/scene-1.tsx')?.content ?? '').split('\n');
    expect(comment).toMatch(/^\/\/ Printed by Koda from src\/film\.json\./);
    expect(code).toEqual([
      "import { ChecklistFormat } from '../formats/checklist.tsx';",
      "import { FormatScene } from '../formats/format-scene.tsx';",
      "import { sceneProps } from '../stage/scene-props.ts';",
      '',
      "const props = sceneProps('scene-1', {",
      "  title: 'Packed for Grandma’s',",
      "  items: [{ text: 'Bear', icon: 'lucide:coffee', done: true }],",
      '});',
      '',
      'export function Overlay() {',
      '  return (',
      '    <FormatScene id="scene-1">',
      '      <ChecklistFormat {...props} />',
      '    </FormatScene>',
      '  );',
      '}',
      '',
    ]);
  });

  it('A7: wraps long props at 120 columns', () => {
    for (const format of formats) {
      const { content } = printScene({ ...scene(format.example as Record<string, unknown>), format: format.id });
      for (const line of content.split('\n').slice(1))
        if (line.length > 120) expect(line.match(/\w: |="/g)?.length ?? 0, line).toBeLessThan(2);
    }
  });

  it('A7: passes the same props whatever their strings hold', () => {
    const nasty = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.constantFrom(
        '"/>',
        "'",
        '`$' + '{x}`',
        '{1}',
        '&quot;',
        '</FormatScene>',
        '*/',
        '\\',
        '\u2028',
        '\ud800',
        '__proto__',
        '\r\n',
        '$' + '{a}\n`\\',
        'a\n\tb\\\n',
      ),
    );
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { maxDepth: 3 },
        nasty,
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('any'), { maxLength: 4 }),
        fc.dictionary(nasty, tie('any'), { maxKeys: 4, noNullPrototype: true }),
      ),
    })).any;
    fc.assert(
      fc.property(fc.dictionary(fc.stringMatching(/^[a-z][A-Za-z0-9]{0,8}$/), value, { noNullPrototype: true }), (props) => {
        const passed = propsIn(printScene(scene(props)).content) ?? {};
        expect(Buffer.from(JSON.stringify(passed)).toString()).toBe(JSON.stringify(props));
      }),
      { numRuns: 300 },
    );
  });

  it('A7: lists format scenes by their overlay, and scenes in code with the ground', () => {
    const { content } = printFilm(film).find(({ path }) => path === 'src/film.ts') ?? { content: '' };
    expect(content).toContain(`      id: 'scene-1',
      title: 'Packed for Grandma’s',
      startSeconds: 0,
      durationSeconds: 3,
      Overlay: scene1.Overlay,
`);
    expect(content).toContain(`      ...scene2,
      id: 'dance',`);
    expect(content).toContain("audio: [{ src: '/assets/song.mp3', startSeconds: 0, fadeOutSeconds: 1.5 }]");
    expect(() => transformSync(content, { loader: 'ts' })).not.toThrow();
  });

  it('A7: brings the drawings that the props name', () => {
    const { content } = printFilm(film).find(({ path }) => path === 'src/icons.ts') ?? { content: '' };
    expect(content).toMatch(/'lucide:coffee': \{\n {4}viewBox: '0 0 24 24',\n {4}body: '<path /);
  });

  it('X1: reads the document that it prints', () => {
    const { content } = printFilm(film)[0] ?? { content: '' };
    expect(readFilm(content)).toEqual(film);
  });
});
