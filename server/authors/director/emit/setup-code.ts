import { createHash } from 'node:crypto';
import { type Film, filmPath, filmText, maxParameters } from '../../../contract/film.ts';
import { drawingOf, isSilhouette } from '../drawings.ts';
import { indent, number, objectLiteral, quote } from './code.ts';
import { frameOf } from './frame.ts';
import type { GeneratedFile } from './generated-file.ts';
import { parametersIn } from './read-code.ts';
import { sceneFile } from './scene-code.ts';
import { timingOf } from './timing.ts';

const drawingsPath = 'src/drawings.ts';

/** The file of a film as data, true of the code that is written for it. `before` = the film whose code is there. */
export function filmJson(film: Film, before: Film | null): GeneratedFile {
  const there = new Map(before?.scenes.map((scene) => [scene.id, scene]));
  const own = new Map(
    film.scenes.filter(({ source }) => source === 'document').map((scene) => [scene.id, sceneFile(film, scene).content]),
  );
  const scenes = film.scenes.map((scene) => {
    const [text, old] = [own.get(scene.id), there.get(scene.id)];
    if (text === undefined) return scene;
    // A file that stays may be older than what the scene gives today.
    const stays = before !== null && old?.codeHash !== undefined && sceneFile(before, old).content === text;
    return { ...scene, codeHash: stays ? old.codeHash : hashOf(text) };
  });
  const kept = film.parameters.filter(({ scene }) => scene === null || !own.has(scene));
  const parameters = [...own].flatMap(([id, text]) => parametersIn(text, id));
  return { path: filmPath, content: filmText({ ...film, scenes, parameters: inOrder([...parameters, ...kept], scenes) }) };
}

/** In the order of the scenes, as many as a film may have. */
export function inOrder(parameters: Film['parameters'], scenes: Film['scenes']): Film['parameters'] {
  const ids = [...scenes.map(({ id }) => id), null];
  return ids.flatMap((id) => parameters.filter(({ scene }) => scene === id)).slice(0, maxParameters);
}

/** Shows whether a file is the one that was written. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
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

/** The drawings of the film's figures, with their licence; none where it has no figures. */
export function drawingsFile(film: Film): GeneratedFile[] {
  const names = film.scenes.flatMap(({ subjects }) =>
    subjects.flatMap((subject) => (subject.kind === 'figure' ? [subject.drawing] : [])),
  );
  if (names.length === 0) return [];
  const entries = [...new Set(names)].sort().map((name) => {
    const { svg, color } = drawingOf(name);
    return `  ${quote(name)}: {\n    color: ${quote(color)},\n    svg: ${quote(svg)},\n  },`;
  });
  const sources = [
    names.every(isSilhouette)
      ? ''
      : '// Fluent Emoji, flat. Copyright (c) Microsoft Corporation. MIT License: https://github.com/microsoft/fluentui-emoji\n',
    names.some(isSilhouette)
      ? '// Names with “mdi-”: Material Design Icons, by Pictogrammers. Apache License 2.0: https://github.com/Templarian/MaterialDesign\n'
      : '',
  ];
  const content = `${sources.join('')}import type { Drawing } from './kit/figure.tsx';

export const drawings = {
${entries.join('\n')}
} as const satisfies Record<string, Drawing>;
`;
  return [{ path: drawingsPath, content }];
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
