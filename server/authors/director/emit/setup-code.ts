import { createHash } from 'node:crypto';
import { type Film, filmPath, filmText } from '../../../contract/film.ts';
import { indent, number, objectLiteral, quote } from './code.ts';
import { frameOf } from './frame.ts';
import type { GeneratedFile } from './generated-file.ts';
import { sceneFile } from './scene-code.ts';
import { timingOf } from './timing.ts';

/** The film as data; each scene with a hash of the file that is written for it, which shows when somebody else changes that. */
export function filmJson(film: Film): GeneratedFile {
  const scenes = film.scenes.map((scene) =>
    scene.source === 'code'
      ? scene
      : { ...scene, codeHash: createHash('sha256').update(sceneFile(film, scene).content).digest('hex') },
  );
  return { path: filmPath, content: filmText({ ...film, scenes }) };
}

export function themeFile(film: Film): GeneratedFile {
  const palette = Object.entries(film.palette).map(([name, color]) => `    ${name}: ${quote(color)},`);
  const content = `import type { Theme } from './stage/film-definition.ts';

export const theme: Theme = {
  style: ${quote(film.style)},
  seed: ${film.seed},
  palette: {
${palette.join('\n')}
  },
};
`;
  return { path: 'src/theme.ts', content };
}

/** Long enough not to be cut off, short enough not to be missed. */
const musicFadeSeconds = 1.5;

function audioCode({ music, durationSeconds }: Film): string {
  if (music === null) return '';
  const fade = number(Math.min(musicFadeSeconds, durationSeconds / 3));
  return `  audio: [{ src: ${quote(music)}, startSeconds: 0, fadeOutSeconds: ${fade} }],\n`;
}

export function filmFile(film: Film): GeneratedFile {
  const frame = frameOf(film.aspect);
  const imports = film.scenes.map(({ id, number }) => `import * as scene${number} from './scenes/${id}.tsx';`);
  const scenes = film.scenes.map((scene) => {
    const timing = timingOf(film, scene);
    const background = scene.background
      ? objectLiteral([
          ['top', quote(scene.background.top)],
          ['bottom', quote(scene.background.bottom)],
        ])
      : '{ top: theme.palette.backgroundTop, bottom: theme.palette.backgroundBottom }';
    return `{
  id: ${quote(scene.id)},
  title: ${scene.source === 'code' ? quote(scene.title) : `scene${scene.number}.title`},
  startSeconds: ${number(timing.filmStartSeconds)},
  durationSeconds: ${number(timing.durationSeconds)},
  background: ${background},${scene.still === 'everything' ? '\n  still: true,' : ''}
  World: scene${scene.number}.World,
  Overlay: scene${scene.number}.Overlay,
},`;
  });
  const content = `${imports.join('\n')}
import type { FilmDefinition } from './stage/film-definition.ts';
import { theme } from './theme.ts';

export const film: FilmDefinition = {
  title: ${quote(film.title)},
  durationSeconds: ${number(film.durationSeconds)},
  fps: ${film.fps},
  width: ${frame.pixels.width},
  height: ${frame.pixels.height},
  view: { width: ${frame.width}, height: ${frame.height}, groundY: ${frame.groundY} },
  theme,
  scenes: [
${indent(scenes.join('\n'), 4)}
  ],
${audioCode(film)}};
`;
  return { path: 'src/film.ts', content };
}
