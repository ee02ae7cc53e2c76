import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { emphases, type Film, type FilmScene, type FilmText, type Style, textPrograms } from '../../../contract/film.ts';
import { sceneFile } from './scene-code.ts';

const run = promisify(execFile);
const template = join(import.meta.dirname, '../../../../sandbox-image/templates/animation');
const palette = { backgroundTop: '#fff4e0', backgroundBottom: '#ffd9a8', ink: '#3b1d0f', accent: '#ff5a36', helper: '#1f8f80' };

function textOf(id: string, slots: Partial<FilmText> = {}): FilmText {
  return {
    id,
    text: 'Up 40 %',
    role: 'title',
    position: 'center',
    entrance: 'rise',
    color: null,
    scale: 1,
    delaySeconds: 0.2,
    ...slots,
  };
}

function filmOf(style: Style, texts: readonly (readonly FilmText[])[]): Film {
  const scenes = texts.map(
    (own, index): FilmScene => ({
      id: `scene-${style}-${index + 1}`,
      number: index + 1,
      title: 'Words',
      description: 'Words.',
      animationNotes: 'They move.',
      startSeconds: index * 5,
      durationSeconds: 5,
      source: 'document',
      speed: 1,
      background: null,
      camera: 'static',
      subjects: [],
      texts: own,
    }),
  );
  return {
    version: 2,
    parameters: [],
    title: 'Words',
    prompt: 'words',
    seed: 3,
    style,
    aspect: '16:9',
    fps: 60,
    durationSeconds: scenes.length * 5,
    palette,
    music: null,
    scenes,
  };
}

/** One scene for each entrance, with every emphasis and every exit, alone and together with what else a text may have. */
const everything = textPrograms.map((entrance) =>
  [undefined, ...emphases].flatMap((emphasis, i) =>
    [undefined, ...textPrograms].map((exit, j): FilmText => {
      const id = `text-${i * 100 + j}`;
      const slots = { ...(emphasis === undefined ? {} : { emphasis }), ...(exit === undefined ? {} : { exit }) };
      const more = j % 3 === 0 ? { by: 'words', from: 'left', face: 'mono', counts: true, times: 2, becomes: 'Down 3 %' } : {};
      return textOf(id, { entrance, ...slots, ...(more as Partial<FilmText>) });
    }),
  ),
);

describe('the code of a text', () => {
  it('A9: type-checks for every entrance, emphasis and exit, in every style', { timeout: 120_000 }, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'koda-texts-'));
    try {
      await cp(join(template, 'tsconfig.json'), join(folder, 'tsconfig.json'));
      await mkdir(join(folder, 'src/scenes'), { recursive: true });
      await symlink(join(template, 'node_modules'), join(folder, 'node_modules'));
      for (const part of ['kit', 'stage']) await cp(join(template, 'src', part), join(folder, 'src', part), { recursive: true });
      for (const style of ['playful', 'smooth', 'cinematic'] as const) {
        const film = filmOf(style, everything);
        for (const scene of film.scenes) {
          const { path, content } = sceneFile(film, scene);
          await writeFile(join(folder, path), content);
        }
      }
      const { stdout } = await run(join(template, 'node_modules/.bin/tsc'), ['--noEmit'], { cwd: folder }).catch(
        (error: { stdout: string }) => error,
      );
      expect(stdout.split('\n').slice(0, 5).join('\n')).toBe('');
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  const codeOf = (text: FilmText, style: Style = 'smooth'): string => {
    const film = filmOf(style, [[text]]);
    const [scene] = film.scenes;
    return scene === undefined ? '' : sceneFile(film, scene).content;
  };

  it('A9: a text that turns into another is two texts in one place, the second when the first leaves', () => {
    const code = codeOf(textOf('text-1', { text: 'old', becomes: 'new' }));
    expect(code.match(/<Text\b/gu)).toHaveLength(2);
    expect(code).toContain('exit="flip"');
    expect(code).toContain('entrance="flip"');
    expect(code).toContain("default('new')");
  });

  it('A9: what nobody asked for is not in the code', () => {
    const code = codeOf(textOf('text-1'));
    for (const slot of ['by=', 'from=', 'exit=', 'emphasis=', 'face=']) expect(code).not.toContain(slot);
  });

  it('A9: over a title at rest runs a light, a playful one hops; what is emphasised does neither', () => {
    expect(codeOf(textOf('text-1'))).toContain('sweep:');
    expect(codeOf(textOf('text-1'), 'playful')).toContain('wave:');
    const struck = codeOf(textOf('text-1', { emphasis: 'strike' }));
    expect(struck).not.toContain('sweep:');
    expect(struck).toContain('emphasis="strike"');
  });
});
