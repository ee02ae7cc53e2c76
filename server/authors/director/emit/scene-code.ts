import { type Film, type FilmScene, scenePath } from '../../../contract/film.ts';
import { cameraPart } from './camera-part.ts';
import { commentText, easesOf, indent, quote, tracksCode } from './code.ts';
import { flourishPart } from './flourish-part.ts';
import { frameOf } from './frame.ts';
import type { GeneratedFile } from './generated-file.ts';
import { inOrder, type KeyStop } from './keyframes.ts';
import { placePart } from './place-part.ts';
import { declarationCode, parametersIn, type SceneParameter } from './scene-parameters.ts';
import type { ScenePart } from './scene-parts.ts';
import { stageScene } from './staging.ts';
import { textPart } from './text-part.ts';

/** One import; `type Name` among the names imports a type. */
function importCode(file: string, names: readonly string[]): string {
  const plain = (name: string) => name.replace('type ', '');
  const sorted = [...names].sort((a, b) => (plain(a) < plain(b) ? -1 : 1));
  const typesOnly = sorted.every((name) => name.startsWith('type '));
  return `import ${typesOnly ? 'type ' : ''}{ ${sorted.map((name) => (typesOnly ? plain(name) : name)).join(', ')} } from '${file}';`;
}

function imports(scene: FilmScene, parts: readonly ScenePart[], parameters: readonly SceneParameter[]): string {
  const byFile = new Map<string, Set<string>>();
  for (const [file, name] of parts.flatMap((part) => part.kit)) byFile.set(file, (byFile.get(file) ?? new Set()).add(name));
  if (scene.subjects.some(({ kind }) => kind === 'figure')) byFile.set('../drawings.ts', new Set(['drawings']));
  const lines = [...byFile.entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([file, names]) => importCode(file.startsWith('../') ? file : `../kit/${file}`, [...names]));
  const tracks = parts.flatMap((part) => part.tracks);
  const eases = easesOf(tracks);
  if (eases.length > 0) lines.push(importCode('../stage/easing.ts', eases));
  const keyed = tracks.some(({ channels }) => Object.values(channels).some((stops) => typeof stops !== 'number'));
  if (keyed) lines.push(`import { at, keys } from '../stage/keyframes.ts';`);
  const makers = new Set(parameters.map(({ maker }) => maker));
  if (makers.has('z')) lines.unshift(`import { z } from 'zod';`);
  if (makers.size > 0)
    lines.push(importCode('../stage/parameters.ts', ['declareParameters', ...(makers.has('color') ? ['color'] : [])]));
  lines.push(
    `import { SceneOverlay, SceneWorld } from '../stage/scene-frame.tsx';`,
    `import { defineTracks } from '../stage/tracks.ts';`,
  );
  return `${lines.join('\n')}\n\nconst sceneId = ${quote(scene.id)};
export const title = ${quote(scene.title)};`;
}

function component(name: 'World' | 'Overlay', children: readonly string[]): string {
  const frame = `Scene${name}`;
  if (children.length === 0) return `export function ${name}() {\n  return <${frame} id={sceneId}>{null}</${frame}>;\n}`;
  const body = `    <${frame} id={sceneId}>\n${indent(children.join('\n'), 6)}\n    </${frame}>`;
  return `export function ${name}() {\n  return (\n${body}\n  );\n}`;
}

/** The x keyframes of the subject that a following camera looks at. */
function followedStops(parts: readonly ScenePart[]): readonly KeyStop[] | null {
  for (const part of parts) {
    const x = part.tracks[0]?.channels['x'];
    if (x !== undefined && typeof x !== 'number') return x;
  }
  return null;
}

/** The file of one scene: its keyframes first, then what is shown. */
export function sceneFile(film: Film, scene: FilmScene): GeneratedFile {
  const frame = frameOf(film.aspect);
  const { layout, timing, cast: subjects, textMoves } = stageScene(film, scene);
  const accents = subjects.flatMap((part) => part.accents);
  const texts = layout.texts.map((place) =>
    textPart(film, scene, place, timing, { accents, move: textMoves.get(place.text.id) }),
  );
  const flourish = flourishPart(film, scene, layout, timing, frame);
  const place = placePart(film, scene, layout.texts, timing, frame);
  const parts = [
    ...(place ? [place] : []),
    ...subjects,
    ...(flourish ? [flourish] : []),
    ...texts,
    cameraPart(film, scene, layout, timing, followedStops(subjects), frame),
  ];
  const lead = timing.leadSeconds > 0 ? ` It enters ${timing.leadSeconds} s before the scene before it is gone.` : '';
  const code = [
    `// Scene ${scene.number}, ${commentText(scene.title, 60)}: ${commentText(scene.description, 180)}\n// Times are seconds from the start of the scene, places are world units (the frame is ${frame.width} × ${frame.height}).${lead}`,
    tracksCode(scene.id, parts.flatMap((part) => part.tracks).map(inOrder)).replace(
      `defineTracks(${quote(scene.id)}`,
      'defineTracks(sceneId',
    ),
    ...parts.flatMap((part) => part.constants),
    component(
      'World',
      parts.flatMap((part) => part.world),
    ),
    component(
      'Overlay',
      parts.flatMap((part) => part.overlay),
    ),
  ];
  const parameters = parametersIn(
    code.join('\n'),
    parts.flatMap((part) => part.parameters),
  );
  const declaration = parameters.length > 0 ? [declarationCode(parameters)] : [];
  const sections = [imports(scene, parts, parameters), ...declaration, ...code];
  return { path: scenePath(scene.id), content: `${sections.join('\n\n')}\n` };
}
