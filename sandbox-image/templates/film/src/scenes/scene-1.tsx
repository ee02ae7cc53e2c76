import { Ball } from '../kit/ball.tsx';
import { fall, rise } from '../stage/easing.ts';
import { at, keys } from '../stage/keyframes.ts';
import { color, declareParameters } from '../stage/parameters.ts';
import { SceneOverlay, SceneWorld } from '../stage/scene-frame.tsx';
import { defineTracks } from '../stage/tracks.ts';

// Placeholder until the first film is written: one ball in a seamless loop. It has no text, because any text would look like
// part of the film.
const loopSeconds = 4;
const topHeight = 1.6;

const parameters = declareParameters(
  {
    ballColor: color('#e2654a').describe('The colour of the ball'),
  },
  { scene: 'scene-1' },
);

const tracks = defineTracks('scene-1', {
  ball: {
    y: keys([at(0, 0), at(1, topHeight, rise), at(2, 0, fall), at(3, topHeight, rise), at(loopSeconds, 0, fall)]),
    squash: keys([at(0, 0.9), at(0.12, 1), at(1.88, 1), at(2, 0.9), at(2.12, 1), at(3.88, 1), at(loopSeconds, 0.9)]),
  },
});

export function World() {
  return (
    <SceneWorld id="scene-1">
      <Ball track={tracks.ball} place={[0, -1.9, 0]} radius={0.8} color={parameters.ballColor} />
    </SceneWorld>
  );
}

export function Overlay() {
  return <SceneOverlay id="scene-1">{null}</SceneOverlay>;
}
