import { Icon } from '../drawing/icon.tsx';
import { Lines } from '../drawing/lines.tsx';
import { Box, type LayoutSetting, useLayout, useScene } from '../drawing/setting.tsx';
import { Bubble, type Speech, setSpeech } from '../drawing/speech-bubble.tsx';
import { type ActName, actsByName, fled, type Pose, seatedActs } from '../drawing/story-acts.ts';
import { Place, type PlaceName, placeColors } from '../drawing/story-place.tsx';
import { cased, columnsOf, setText, type TextSet } from '../drawing/text.ts';
import type { Rect } from '../themes/theme.ts';

interface Actor {
  readonly icon: string;
  readonly count: number;
  readonly color: string | null;
}

interface Beat {
  readonly actor: number;
  readonly act: ActName;
  readonly target: number | null;
  readonly side?: 'left' | 'right' | null;
  readonly text?: string | null;
}

interface IconStoryProps {
  readonly caption: string | null;
  readonly actors: readonly Actor[];
  readonly place: PlaceName;
  readonly beats: readonly Beat[];
}

interface Layout {
  /** Area of the drawing; the caption has a separate strip below. */
  readonly world: Rect;
  readonly caption: TextSet | null;
  readonly captionY: number;
  readonly ground: number;
  readonly size: number;
  readonly spacing: number;
  readonly homes: readonly number[];
  /** Words of each beat. */
  readonly speeches: readonly (Speech | null)[];
}

function layOut({ caption, actors, beats }: Omit<IconStoryProps, 'place'>, setting: LayoutSetting): Layout {
  const { frame, theme, language } = setting;
  const { safe } = frame;
  const set =
    caption === null
      ? null
      : setText({
          text: cased(theme, caption, language),
          face: theme.display,
          size: frame.shape === 'wide' ? 72 : 64,
          minSize: 44,
          width: safe.width,
          height: 180,
          maxCharacters: frame.shape === 'wide' ? 48 : 24,
        });
  const foot = safe.y + safe.height;
  const captionY = set === null ? foot : (frame.story ? foot : frame.height - 44) - set.height;
  const height = set === null ? frame.height : captionY - 40;
  const ground = height * (frame.story && set === null ? 0.76 : 0.82);
  const crowd = Math.max(...actors.map(({ count }) => count));
  const share = [0.4, 0.33, 0.27][actors.length - 1] ?? 0.27;
  const size = Math.min(height * share, frame.width * (share - 0.02)) * (crowd > 2 ? 0.78 : 1);
  const homes = [[0.5], [0.27, 0.73], [0.2, 0.5, 0.8]][actors.length - 1] ?? [0.5];
  return {
    world: { x: 0, y: 0, width: frame.width, height },
    caption: set,
    captionY,
    ground,
    size,
    spacing: Math.min(size * 0.62, (frame.width * 0.82) / actors.reduce((sum, { count }) => sum + count, 0)),
    homes: homes.map((home) => home * frame.width),
    speeches: beats.map(({ text }) => (text == null ? null : setSpeech(text, setting))),
  };
}

const opening = 0.9;
const copies = [0, 1, 2, 3, 4];

/** Drawings that point up and to the right. All others face left. */
const nosed = /^fluent:(rocket|airplane|airplane-departure|small-airplane)$/;

/** Returns an actor's pose before its first act. Some actors enter only later. */
function startOf(index: number, { beats, actors }: IconStoryProps, layout: Layout): Pose {
  const x = layout.homes[index] ?? layout.world.width / 2;
  const first = beats.find(({ actor }) => actor === index)?.act;
  const facing = actors.length === 1 || x < layout.world.width / 2 ? 1 : -1;
  return {
    x,
    facing,
    height: first === 'fall' ? layout.ground + layout.size : 0,
    turn: 0,
    scale: 1,
    opacity: first === 'enter' || first === 'appear' ? 0 : 1,
    wide: 1,
    tall: 1,
    pivot: 0,
    seated: 0,
  };
}

/** Returns the index of the actor that a beat refers to, or of another one if its act needs one; `null` if there is none. */
function otherActor({ act, target }: IconStoryProps['beats'][number], doer: number, count: number): number | null {
  if (target !== null && target !== doer && target < count) return target;
  if (count < 2 || (act !== 'meet' && act !== 'chase' && act !== 'say')) return null;
  return doer === 0 ? 1 : 0;
}

/** Returns when each beat starts, and how long it is. A beat with words takes up to twice the time. */
function timesOf(beats: readonly Beat[], duration: number): { readonly from: number; readonly length: number }[] {
  const weights = beats.map(({ text }) => 1 + columnsOf(text ?? '') / 40);
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const unit = Math.max(0.8, (duration - opening - 0.9) / sum(weights));
  return weights.map((weight, index) => ({ from: opening + sum(weights.slice(0, index)) * unit, length: weight * unit }));
}

/** Returns all actors at a time in the scene. Each beat starts where the previous one ended. */
function posesAt(
  seconds: number,
  { duration, rightToLeft }: { readonly duration: number; readonly rightToLeft: boolean },
  props: IconStoryProps,
  layout: Layout,
): Pose[] {
  const { beats, actors } = props;
  const { world, ground, size, spacing } = layout;
  let poses = actors.map((_, index) => startOf(index, props, layout));
  const times = timesOf(beats, duration);
  beats.forEach((beat, index) => {
    const { from, length } = times[index] ?? { from: opening, length: 1 };
    const u = Math.min(1, Math.max(0, (seconds - from) / (length * 0.94)));
    const doer = Math.min(beat.actor, actors.length - 1);
    const start = poses[doer];
    if (start === undefined || seconds < from) return;
    const otherIndex = otherActor(beat, doer, actors.length);
    const other = otherIndex === null ? null : (poses[otherIndex] ?? null);
    const margin = size * 0.5 + (spacing * ((actors[doer]?.count ?? 1) - 1)) / 2;
    const scope = {
      size: size * start.scale,
      left: margin,
      right: world.width - margin,
      obstacles: poses.filter(({ opacity, height }, at) => at !== doer && opacity > 0 && height < size * 0.5).map(({ x }) => x),
      clearance: size * 0.92 + margin - size * 0.5,
      ceiling: Math.max(size * 0.3, ground - size * 1.1),
      width: world.width,
      stride: actors.length > 1 ? 0.66 : 1,
      seconds: length * 0.94,
      nosed: nosed.test(actors[doer]?.icon ?? ''),
      side: sideOf(beat, rightToLeft),
    };
    const acted = actsByName[beat.act]({ ...scope, start, other: other && { pose: other, size: size * other.scale } })(u);
    const now = seatedActs.has(beat.act) ? acted : { ...acted, seated: start.seated * (1 - Math.min(1, u / 0.15)) };
    const flight =
      beat.act === 'chase' && other !== null
        ? fled({ ...scope, side: null, start: other, other: { pose: start, size } })(u)
        : null;
    poses = poses.map((pose, at) => {
      if (at === doer) return u >= 1 ? rested(now) : turned(start, now, u);
      if (flight !== null && at === otherIndex) return turned(pose, flight, u);
      return pose;
    });
  });
  return poses;
}

/** Returns the side of a beat in the drawing, which right-to-left films mirror. */
function sideOf({ side }: Beat, rightToLeft: boolean): -1 | 1 | null {
  if (side == null) return null;
  return (side === 'left') !== rightToLeft ? -1 : 1;
}

const rested = (pose: Pose): Pose => ({ ...pose, wide: 1, tall: 1, turn: Math.abs(pose.turn % 360) > 40 ? pose.turn : 0 });

/** Turns the actor round over a few frames. */
function turned(from: Pose, to: Pose, u: number): Pose {
  const share = Math.min(1, u / 0.1);
  return { ...to, facing: from.facing + (to.facing - from.facing) * share };
}

/** A story without words: drawings in a setting, one of them acting at a time. */
export function IconStoryFormat(props: IconStoryProps) {
  const { frame, theme, colors, motion, rightToLeft } = useScene();
  const layout = useLayout(layOut, { caption: props.caption, actors: props.actors, beats: props.beats });
  const { world, ground, size } = layout;
  const leave = motion.leave();
  const palette = placeColors(colors, props.place);
  return (
    <>
      <Box {...world} style={{ overflow: 'hidden' }} opacity={1 - leave}>
        <Place name={props.place} width={world.width} height={world.height} ground={ground} palette={palette} />
        {props.actors.flatMap((actor, index) => {
          const middle = (actor.count - 1) / 2;
          const small = actor.count > 1 ? 0.8 : 1;
          return copies.slice(0, actor.count).map((copy) => {
            const pose = posesAt(motion.seconds - copy * 0.12, { duration: motion.duration, rightToLeft }, props, layout)[
              index
            ] as Pose;
            const x = pose.x + (copy - middle) * layout.spacing;
            const near = ground + (copy % 2) * size * 0.07;
            return (
              <Figure
                key={`${actor.icon} ${copy}`}
                actor={actor}
                pose={{
                  ...pose,
                  x: rightToLeft ? world.width - x : x,
                  facing: rightToLeft ? -pose.facing : pose.facing,
                  turn: rightToLeft ? -pose.turn : pose.turn,
                }}
                ground={near}
                size={size * small}
                phase={index * 1.7 + copy * 2.3}
                shadow={palette.shadow}
                ink={palette.ink}
              />
            );
          });
        })}
      </Box>
      <Speeches props={props} layout={layout} />
      {layout.caption === null ? null : (
        <>
          <Box
            x={0}
            y={world.height}
            width={frame.width}
            height={frame.height - world.height}
            opacity={1 - leave}
            style={{ background: `linear-gradient(${colors.groundTop}, ${colors.groundBottom})` }}
          />
          <theme.Rule
            x={0}
            y={world.height - theme.stroke / 2}
            length={frame.width * (1 - leave)}
            progress={motion.draw(0.1, 0.7)}
            tone="accent"
          />
          <Lines
            set={layout.caption}
            x={frame.safe.x}
            y={layout.captionY - 8}
            color={colors.ink}
            progress={(line) => motion.enter(0.3 + line * 0.08)}
            leave={leave}
          />
        </>
      )}
    </>
  );
}

IconStoryFormat.composited = true;

/** Shows the words of a beat above its actor. The words of the last beat stay. */
function Speeches({ props, layout }: { readonly props: IconStoryProps; readonly layout: Layout }) {
  const { frame, motion, rightToLeft } = useScene();
  const { ground, size } = layout;
  const { beats, actors } = props;
  const poses = posesAt(motion.seconds, { duration: motion.duration, rightToLeft }, props, layout);
  return timesOf(beats, motion.duration).map(({ from, length }, index) => {
    const speech = layout.speeches[index] ?? null;
    const doer = Math.min(beats[index]?.actor ?? 0, actors.length - 1);
    const pose = poses[doer];
    const isLast = index === beats.length - 1;
    const until = from + length;
    if (speech === null || pose === undefined || motion.seconds < from || (motion.seconds > until && !isLast)) return null;
    const gone = isLast ? motion.leave() : Math.min(1, Math.max(0, (motion.seconds - until + 0.25) / 0.25));
    const height = size * pose.scale * (1 - seatDrop * pose.seated);
    const aloft = poses.find((other, at) => at !== doer && other.opacity > 0 && other.height > size * 0.3);
    return (
      <Bubble
        key={from}
        speech={speech}
        // Positions in the frame count from the start edge, as those in the drawing do.
        x={pose.x}
        head={ground - pose.height - height * 0.95}
        aloft={aloft?.x ?? null}
        reach={size * pose.scale * 0.5}
        area={{ ...frame.safe, height: ground - frame.safe.y }}
        shown={motion.spring(motion.when(from + 0.1), 0.5) * pose.opacity}
        opacity={1 - gone}
      />
    );
  });
}

/** How much lower a sitting figure is. */
const seatDrop = 0.2;

/** Draws an actor standing on the ground, with its shadow. */
function Figure({
  actor,
  pose,
  ground,
  size,
  phase,
  shadow,
  ink,
}: {
  readonly actor: Actor;
  readonly pose: Pose;
  readonly ground: number;
  readonly size: number;
  readonly phase: number;
  readonly shadow: string;
  readonly ink: string;
}) {
  const { motion } = useScene();
  const shown = pose.opacity * motion.enter(0.35, 0.5);
  if (shown <= 0) return null;
  const aloft = Math.min(1, pose.height / (size * 2.2));
  const flies = pose.height > size * 0.25;
  const breath = Math.sin(((motion.seconds + phase) / 2.4) * 2 * Math.PI);
  const bob = flies ? breath * 9 : 0;
  const tall = pose.tall * (flies ? 1 : 1 + 0.012 * breath) * (1 - seatDrop * pose.seated);
  const coloured = actor.icon.startsWith('fluent:');
  const mirror = coloured && !nosed.test(actor.icon) ? -pose.facing : pose.facing;
  const across = (Math.abs(mirror) < 0.12 ? 0.12 : mirror) * pose.wide * pose.scale * (1 + seatDrop * 0.55 * pose.seated);
  const pivot = size * pose.scale * pose.pivot;
  const width = size * pose.scale * (0.86 - 0.34 * aloft);
  return (
    <>
      <div
        className="box"
        style={{
          left: pose.x - width / 2 + pose.height * 0.08,
          top: ground - size * 0.045,
          width,
          height: size * 0.1,
          borderRadius: '50%',
          background: shadow,
          opacity: shown * (0.36 - 0.2 * aloft),
        }}
      />
      <div
        className="box"
        style={{
          left: 0,
          top: 0,
          width: size,
          height: size,
          opacity: shown,
          transformOrigin: '0 0',
          transform: [
            `translate(${pose.x}px, ${ground - pose.height - bob - pivot}px)`,
            `rotate(${pose.turn}deg)`,
            `translateY(${pivot}px)`,
            `scale(${coloured ? across : Math.abs(across)}, ${tall * pose.scale})`,
            `translate(${-size / 2}px, ${-size * 0.955}px)`,
          ].join(' '),
        }}
      >
        <Icon name={actor.icon} size={size} color={actor.color ?? ink} stroke={1.9} />
      </div>
    </>
  );
}
