import { parseSync } from 'vite';
import { describe, expect, it } from 'vitest';
import {
  type Aspect,
  type Film,
  type FilmScene,
  type FilmText,
  type Motion,
  readFilm,
  type Style,
  type Subject,
} from '../../../contract/film.ts';
import { affectedFiles, emitAll, emitScene } from './emit.ts';

const palette = { backgroundTop: '#fff4e0', backgroundBottom: '#ffd9a8', ink: '#3b1d0f', accent: '#ff5a36', helper: '#1f8f80' };

function ball(id: string, motion: Motion, color = '#e53935'): Subject {
  return { id, kind: 'ball', color, size: 1, motion, count: 1 };
}

function title(id: string, text: string, position: FilmText['position'] = 'top'): FilmText {
  return { id, text, role: 'title', position, entrance: 'rise', color: null, scale: 1, delaySeconds: 0.3 };
}

function scene(
  number: number,
  startSeconds: number,
  durationSeconds: number,
  subjects: readonly Subject[],
  texts: readonly FilmText[] = [],
): FilmScene {
  return {
    id: `scene-${number}`,
    number,
    title: `Part ${number}`,
    description: 'Something moves.',
    animationNotes: 'It does.',
    startSeconds,
    durationSeconds,
    source: 'document',
    speed: 1,
    background: null,
    camera: 'static',
    subjects,
    texts,
  };
}

function film(scenes: readonly FilmScene[], change: Partial<Film> = {}): Film {
  const durationSeconds = Math.max(...scenes.map((part) => part.startSeconds + part.durationSeconds));
  return {
    version: 2,
    parameters: [],
    title: 'Film',
    prompt: 'a film',
    seed: 7,
    style: 'playful',
    aspect: '16:9',
    fps: 60,
    durationSeconds,
    palette,
    music: null,
    scenes,
    ...change,
  };
}

const three = film([
  scene(1, 0, 3, [ball('ball-1', { type: 'bounce', times: 3, height: 1 })], [title('title-1', 'One')]),
  scene(2, 3, 3, [ball('ball-2', { type: 'roll', direction: 'right' })]),
  scene(3, 6, 3, [ball('ball-3', { type: 'float' })], [title('title-3', 'Three')]),
]);

function withScene(before: Film, number: number, change: Partial<FilmScene>): Film {
  return { ...before, scenes: before.scenes.map((part) => (part.number === number ? { ...part, ...change } : part)) };
}

const paths = (files: readonly { path: string }[]) => files.map(({ path }) => path).sort();

describe('affectedFiles', () => {
  it('A9: another colour of one ball changes its scene and the film, nothing else', () => {
    const after = withScene(three, 2, { subjects: [ball('ball-2', { type: 'roll', direction: 'right' }, '#00aa44')] });
    const { written, deleted } = affectedFiles(three, after);
    expect(paths(written)).toEqual(['src/film.json', 'src/scenes/scene-2.tsx']);
    expect(deleted).toEqual([]);
    expect(written.find(({ path }) => path.endsWith('scene-2.tsx'))?.content).toContain('#00aa44');
  });

  it('A9: another title of a scene is a matter of its own file', () => {
    const { written } = affectedFiles(three, withScene(three, 2, { title: 'Another' }));
    expect(paths(written)).toEqual(['src/film.json', 'src/scenes/scene-2.tsx']);
  });

  it('A9: a longer first scene moves the others on the time axis without touching their files', () => {
    const longer = withScene(withScene(withScene(three, 1, { durationSeconds: 4 }), 2, { startSeconds: 4 }), 3, {
      startSeconds: 7,
    });
    const { written } = affectedFiles(three, { ...longer, durationSeconds: 10 });
    expect(paths(written)).toEqual(['src/film.json', 'src/film.ts', 'src/scenes/scene-1.tsx']);
  });

  it('A9: another background is a matter of the theme as long as every word stays readable', () => {
    const { written } = affectedFiles(three, { ...three, palette: { ...palette, backgroundTop: '#fff0f6' } });
    expect(paths(written)).toEqual(['src/film.json', 'src/theme.ts']);
  });

  it('A9: a scene that is dropped is deleted, and the one that is last now keeps its place', () => {
    const { written, deleted } = affectedFiles(three, { ...three, scenes: three.scenes.slice(0, 2), durationSeconds: 6 });
    expect(deleted).toEqual(['src/scenes/scene-3.tsx']);
    expect(paths(written)).toEqual(['src/film.json', 'src/film.ts', 'src/scenes/scene-2.tsx']);
  });

  it('A9: nothing changed, nothing written', () => {
    expect(affectedFiles(three, structuredClone(three))).toEqual({ written: [], deleted: [] });
  });
});

describe('emitSetup', () => {
  const filmCode = (change: Partial<Film>) =>
    emitAll({ ...three, ...change }).find(({ path }) => path === 'src/film.ts')?.content;

  it('X9: scenes have the titles that chapters take, music fades out at the end', () => {
    expect(filmCode({})).toContain('title: scene2.title,');
    expect(emitScene(three, 2)[0]?.content).toContain("export const title = 'Part 2';");
    expect(filmCode({})).not.toContain('audio');
    expect(filmCode({ music: '/assets/beat.mp3' })).toContain(
      "  audio: [{ src: '/assets/beat.mp3', startSeconds: 0, fadeOutSeconds: 1.5 }],\n};",
    );
    expect(filmCode({ music: '/assets/beat.mp3', durationSeconds: 3 })).toContain('fadeOutSeconds: 1 }');
  });
});

describe('emitScene', () => {
  it('refuses a scene that the film does not have', () => {
    expect(() => emitScene(three, 9)).toThrow('no scene 9');
  });

  it('X1: a film is written as data and read back the same', () => {
    const json = emitAll(three).find(({ path }) => path === 'src/film.json');
    const scenes = three.scenes.map((scene) => ({ ...scene, codeHash: expect.stringMatching(/^[0-9a-f]{64}$/) }));
    expect(readFilm(json?.content ?? '').film).toEqual({ ...three, music: null, scenes, parameters: expect.any(Array) });
  });

  it.each([
    `She said "it's <b>{fine}</b>" & left \\ once`,
    'line one\nline two',
    `*/ alert(1) /* \${x} \`y\``,
    'Grüße 🎉 مرحبا 你好',
    ' ',
  ])('text with signs of its own stays text: %j', (text) => {
    const [file] = emitScene(
      film([scene(1, 0, 4, [], [title('title-1', text)])].map((part) => ({ ...part, title: text, description: text }))),
      1,
    );
    const parsed = parseSync('scene.tsx', file?.content ?? '');
    expect(parsed.errors).toEqual([]);
    const found = JSON.stringify(parsed.program).includes(JSON.stringify(text));
    expect(found).toBe(true);
  });
});

describe('parameters of a film', () => {
  const declaration = /declareParameters\(\n {2}\{\n([\s\S]*?)\n {2}\},/u;
  const declared = (content: string) =>
    [...(declaration.exec(content)?.[1] ?? '').matchAll(/^ {4}(\w+): (.*),$/gmu)].map(([, name, code]) => [name, code]);

  it('T11: the words, the colours and the numbers of each scene can be set from outside', () => {
    const base = { color: '#ff5a36', size: 1, motion: { type: 'appear' } } as const;
    const counter: Subject = {
      ...base,
      id: 'counter-1',
      kind: 'counter',
      from: 0,
      to: 12_500,
      prefix: '$',
      suffix: '',
      label: '',
    };
    const bars: Subject = { ...base, id: 'bars-1', kind: 'bars', unit: '%', bars: [{ label: "B's", value: 7.5 }] };
    const [file] = emitScene(film([scene(1, 0, 4, [counter, bars], [title('title-1', 'Hello')])]), 1);
    expect(declared(file?.content ?? '')).toEqual([
      ['counter1Color', "color('#ff5a36').describe('Colour of counter-1')"],
      ['counter1To', "z.number().default(12500).describe('The number that counter-1 arrives at')"],
      ['bars1Color', "color('#ff5a36').describe('Colour of bars-1')"],
      ['bars1Label1', "z.string().max(500).default('B\\'s').describe('Label of bar 1')"],
      ['bars1Value1', "z.number().default(7.5).describe('Value of bar 1')"],
      ['title1', "z.string().max(500).default('Hello').describe('Title')"],
    ]);
    expect(file?.content).toContain('{ scene: sceneId }');
  });

  it('T11: what a scene does not show is not declared', () => {
    const logo: Subject = { ...subjectsFor({ type: 'appear' })[3], id: 'logo-1' } as Subject;
    const [file] = emitScene(film([scene(1, 0, 4, [logo])]), 1);
    expect(file?.content).not.toContain('arameters');
    expect(file?.content).not.toContain('zod');
  });

  it('T11: every parameter that is read is declared, once', () => {
    for (const motion of motions) {
      for (const subject of subjectsFor(motion)) {
        const [file] = emitScene(film([scene(1, 0, 4, [subject], [title('title-1', 'A title')])]), 1);
        const content = file?.content ?? '';
        const names = declared(content).map(([name]) => name);
        const read = new Set([...content.matchAll(/parameters\.(?!ts)(\w+)/gu)].map(([, name]) => name));
        expect(names.toSorted(), content).toEqual([...read].toSorted());
      }
    }
  });
});

const motions: readonly Motion[] = [
  { type: 'bounce', times: 3, height: 1 },
  { type: 'bounce', times: 12, height: 0.5 },
  { type: 'roll', direction: 'right' },
  { type: 'roll', direction: 'left' },
  ...(['left', 'right', 'up', 'down'] as const).map((direction): Motion => ({ type: 'slide', direction })),
  { type: 'spin', turns: 2 },
  { type: 'float' },
  { type: 'pulse', times: 4 },
  { type: 'grow' },
  { type: 'shrink' },
  { type: 'drop' },
  { type: 'jump', times: 3, height: 1 },
  { type: 'swing' },
  { type: 'explode' },
  { type: 'fly' },
  { type: 'appear' },
];

function subjectsFor(motion: Motion): Subject[] {
  const base = { color: '#ff5a36', size: 1, motion };
  return [
    { ...base, id: 'ball-1', kind: 'ball', count: 1 },
    { ...base, id: 'cube-1', kind: 'cube', count: 6 },
    { ...base, id: 'shape-1', kind: 'shape', shape: 'star', count: 2 },
    { ...base, id: 'logo-1', kind: 'logo', src: '/assets/my logo.png', aspectRatio: 2.5 },
    {
      ...base,
      id: 'bars-1',
      kind: 'bars',
      unit: '%',
      bars: [
        { label: 'A', value: 3 },
        { label: "B's", value: 7.5 },
      ],
    },
    { ...base, id: 'counter-1', kind: 'counter', from: 0, to: 12_500, prefix: '$', suffix: '', label: 'raised' },
    { ...base, id: 'particles-1', kind: 'particles', preset: 'confetti', count: 80, colors: [] },
    { ...base, id: 'wave-1', kind: 'wave', lines: 3 },
    { ...base, id: 'orbit-1', kind: 'orbit', bodies: 3, bodyColors: [] },
    { ...base, id: 'loader-1', kind: 'loader', variant: 'dots' },
  ];
}

/** The stops of every channel in the code, as [time, value]. */
function stopsIn(code: string): [number, number][][] {
  return [...code.matchAll(/keys\(\[([\s\S]*?)\]\)/gu)].map(([, body]) =>
    [...(body ?? '').matchAll(/at\((-?[\d.e-]+), (-?[\d.e-]+)/gu)].map((stop): [number, number] => [
      Number(stop[1]),
      Number(stop[2]),
    ]),
  );
}

describe.each(['playful', 'smooth', 'cinematic'] as const satisfies readonly Style[])(
  'every subject with every motion, %s',
  (style) => {
    it.each(['16:9', '9:16', '1:1', '4:5'] as const satisfies readonly Aspect[])(
      'X1: in %s, at several lengths, is sound code with keyframes in order',
      (aspect) => {
        for (const motion of motions) {
          for (const subject of subjectsFor(motion)) {
            for (const seconds of [1.5, 4]) {
              const made = film(
                [
                  scene(1, 0, seconds, [subject], [title('title-1', 'A title', 'center')]),
                  scene(2, seconds, seconds, [{ ...subject, id: `${subject.id}0` }]),
                ],
                { style, aspect },
              );
              for (const file of emitAll(made).filter(({ path }) => path.endsWith('.tsx'))) {
                const where = `${style} ${aspect} ${subject.kind} ${motion.type} ${seconds} s ${file.path}`;
                expect(file.content, where).not.toMatch(/NaN|undefined|Infinity/u);
                for (const stops of stopsIn(file.content)) {
                  stops.forEach(([time], index) => {
                    expect(time, where).toBeGreaterThanOrEqual(index === 0 ? 0 : (stops[index - 1]?.[0] ?? 0));
                  });
                }
              }
            }
          }
        }
      },
    );
  },
);

it('X1: the code of every subject kind parses', () => {
  for (const motion of motions) {
    for (const subject of subjectsFor(motion)) {
      const [file] = emitScene(film([scene(1, 0, 4, [subject])]), 1);
      expect(parseSync('scene.tsx', file?.content ?? '').errors, `${subject.kind} ${motion.type}`).toEqual([]);
    }
  }
});
