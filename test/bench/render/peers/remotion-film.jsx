// Root of a Remotion project around one film; `data.json` and `film.json` are written beside it, fonts into its public folder.
import { useEffect, useState } from 'react';
import {
  AbsoluteFill,
  Composition,
  continueRender,
  delayRender,
  Easing,
  interpolate,
  registerRoot,
  spring,
  staticFile,
  useCurrentFrame,
  useVideoConfig,
} from 'remotion';
import data from './data.json';
import film from './film.json';

const easings = {
  linear: Easing.linear,
  in: Easing.in(Easing.cubic),
  out: Easing.out(Easing.poly(5)),
  inOut: Easing.inOut(Easing.cubic),
};

function tweened({ from, to, at, seconds, ease }, { frame, fps }) {
  if (ease === 'spring') {
    const options = { frame: frame - at * fps, fps, durationInFrames: Math.round(seconds * fps), config: { damping: 12 } };
    return interpolate(spring(options), [0, 1], [from, to]);
  }
  return interpolate(frame, [at * fps, (at + seconds) * fps], [from, to], {
    easing: easings[ease],
    extrapolateLeft: 'clamp',
    extrapolateRight: 'clamp',
  });
}

function motionStyle({ tweens = [], waves = [] }, { frame, fps }) {
  const values = {};
  for (const tween of tweens) {
    // A later movement of a property counts once it has begun.
    if (frame >= tween.at * fps || !(tween.property in values)) values[tween.property] = tweened(tween, { frame, fps });
  }
  for (const { property, centre, amplitude, periodSeconds, phase } of waves) {
    values[property] = centre + amplitude * Math.sin((2 * Math.PI * frame) / fps / periodSeconds + phase);
  }
  const { opacity, x = 0, y = 0, rotation = 0, scale = 1, scaleX = 1, scaleY = 1 } = values;
  const moves = Object.keys(values).some((property) => property !== 'opacity');
  const scales = `${scale * scaleX}, ${scale * scaleY}`;
  return {
    ...(opacity === undefined ? {} : { opacity }),
    ...(moves ? { transform: `translate(${x}px, ${y}px) rotate(${rotation}deg) scale(${scales})` } : {}),
  };
}

function Count({ from, to, decimals, at, seconds }) {
  const frame = useCurrentFrame();
  const { fps } = useVideoConfig();
  const value = tweened({ from, to, at, seconds, ease: 'inOut' }, { frame, fps });
  return value.toLocaleString('en-US', { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
}

function Part({ part }) {
  const frame = useCurrentFrame();
  const { fps } = useVideoConfig();
  const style = { position: 'absolute', ...part.style, ...motionStyle(part, { frame, fps }) };
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the markup is the benchmark's own.
  if (part.html !== undefined) return <div style={style} dangerouslySetInnerHTML={{ __html: part.html }} />;
  return (
    <div style={style}>
      {part.count ? <Count {...part.count} /> : part.text}
      {part.children?.map((child, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts never change their order.
        <Part key={index} part={child} />
      ))}
    </div>
  );
}

function Film() {
  const [handle] = useState(() => delayRender('the fonts are being loaded'));
  useEffect(() => {
    const load = data.faces.map(async ({ family, file, weight, stretch }) => {
      const face = new FontFace(family, `url(${staticFile(`assets/${file}`)})`, { weight, stretch });
      document.fonts.add(await face.load());
    });
    Promise.all(load).then(() => continueRender(handle));
  }, [handle]);
  return (
    <AbsoluteFill>
      {data.parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts never change their order.
        <Part key={index} part={part} />
      ))}
    </AbsoluteFill>
  );
}

function Root() {
  const { frames, fps, width, height } = film;
  return <Composition id="film" component={Film} durationInFrames={frames} fps={fps} width={width} height={height} />;
}

registerRoot(Root);
