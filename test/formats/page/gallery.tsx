import type { ComponentType } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { FormatScene } from '../../../sandbox-image/templates/film/src/formats/format-scene.tsx';
import { icons } from '../../../sandbox-image/templates/film/src/icons.ts';
import type { FilmDefinition } from '../../../sandbox-image/templates/film/src/stage/film-definition.ts';
import { Stage } from '../../../sandbox-image/templates/film/src/stage/stage.tsx';
import type { GalleryFilm, GalleryWindow } from '../gallery-window.ts';
import { textRuns } from './measure.ts';

const modules = import.meta.glob<Record<string, ComponentType<object>>>(
  '../../../sandbox-image/templates/film/src/formats/*.tsx',
  { eager: true },
);

/** Returns a format's component, for example `BarChartFormat` in `bar-chart.tsx` for `bar-chart`. */
function componentOf(format: string): ComponentType<object> {
  const name = `${format.replace(/(^|-)(\w)/g, (_, __, letter: string) => letter.toUpperCase())}Format`;
  const module = Object.entries(modules).find(([path]) => path.endsWith(`/formats/${format}.tsx`))?.[1];
  const component = module?.[name];
  if (component === undefined) throw new Error(`There is no component ${name} in formats/${format}.tsx.`);
  return component;
}

/** The stage receives the scenes as one overlay. */
const Nothing = () => null;

let root: Root | null = null;

function showFilm(gallery: GalleryFilm): void {
  window.__exportReady = false;
  window.__exportError = null;
  Object.assign(icons, gallery.icons);
  let start = 0;
  const scenes = gallery.scenes.map(({ format, props, seconds }, index) => {
    const scene = {
      id: `scene-${index + 1}`,
      Component: componentOf(format),
      props,
      startSeconds: start,
      durationSeconds: seconds,
    };
    start += seconds;
    return scene;
  });
  const { width, height, theme } = gallery;
  const film: FilmDefinition = {
    title: 'Gallery',
    durationSeconds: start,
    fps: 60,
    width,
    height,
    view: { width: 16, height: 9, groundY: -2.7 },
    theme,
    scenes: scenes.map(({ id, startSeconds, durationSeconds }) => ({ id, startSeconds, durationSeconds, Overlay: Nothing })),
  };
  root?.unmount();
  root = createRoot(document.getElementById('root') as HTMLElement);
  root.render(
    <Stage
      film={film}
      loadWorld={() => Promise.reject(new Error('The gallery has nothing in 3D.'))}
      overlay={scenes.map(({ id, Component, props }) => (
        <FormatScene key={id} id={id}>
          <Component {...props} />
        </FormatScene>
      ))}
    />,
  );
}

const added = document.head.appendChild(document.createElement('style'));

function setStyle(css: string): void {
  added.textContent = css;
}

function changedFrames(first: number, last: number): number {
  const frameAt = (index: number): string => {
    window.__exportSeekTo?.(index / 60);
    return document.getElementById('root')?.innerHTML ?? '';
  };
  let before = frameAt(first - 1);
  let changed = 0;
  for (let index = first; index <= last; index += 1) {
    const frame = frameAt(index);
    if (frame !== before) changed += 1;
    before = frame;
  }
  return changed;
}

Object.assign(window, {
  __showFilm: showFilm,
  __changedFrames: changedFrames,
  __textRuns: textRuns,
  __style: setStyle,
  __galleryLoaded: true,
} satisfies Partial<GalleryWindow>);
