// Root of a Remotion project around one scene; `scene.js` and `film.json` are written beside it.
import { createElement, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Composition, continueRender, delayRender, registerRoot, staticFile, useCurrentFrame, useVideoConfig } from 'remotion';
import film from './film.json';
import { draw, mount } from './scene.js';

const style = { position: 'relative', width: film.width, height: film.height, overflow: 'hidden' };

function Film() {
  const frame = useCurrentFrame();
  const { fps } = useVideoConfig();
  const root = useRef(null);
  const [handle] = useState(() => delayRender('the scene is being built'));
  const [ready, setReady] = useState(false);
  useEffect(() => {
    mount(root.current, (name) => staticFile(`assets/${name}`)).then(() => setReady(true));
  }, []);
  useLayoutEffect(() => {
    if (!ready) return;
    draw(frame / fps);
    continueRender(handle);
  }, [frame, fps, ready, handle]);
  return createElement('div', { ref: root, style });
}

function Root() {
  return createElement(Composition, {
    id: 'film',
    component: Film,
    durationInFrames: film.frames,
    fps: film.fps,
    width: film.width,
    height: film.height,
  });
}

registerRoot(Root);
