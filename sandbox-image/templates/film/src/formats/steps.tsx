import { arrivals, drawnTo, type Point, sharesOf, smoothPath } from '../drawing/curve.ts';
import { figure } from '../drawing/figures.ts';
import { Icon } from '../drawing/icon.tsx';
import { Lines } from '../drawing/lines.tsx';
import { Box, type LayoutSetting, useLayout, useScene } from '../drawing/setting.tsx';
import { capitalBounds, cased, measure, setText, setTexts, type TextRequest, type TextSet } from '../drawing/text.ts';
import { mix, readable } from '../kit/color.ts';

interface StepsProps {
  readonly title: string | null;
  /** Number of the first step. Missing in films from before this field existed. */
  readonly start?: number;
  readonly steps: readonly { readonly label: string; readonly detail: string | null; readonly icon: string | null }[];
}

interface Step {
  /** Point at which the path meets the step. */
  readonly x: number;
  readonly y: number;
  readonly number: TextSet;
  readonly numberY: number;
  readonly size: number;
  readonly textX: number;
  readonly textY: number;
  readonly label: TextSet;
  readonly detail: TextSet | null;
  /** Fraction of the ridge at which the path reaches the step. */
  readonly share: number;
}

interface Layout {
  readonly kind: 'hill' | 'trail';
  readonly title: TextSet | null;
  readonly titleY: number;
  /** The ridge, or the parts of the trail that lead to each step. */
  readonly paths: readonly (readonly Point[])[];
  readonly steps: readonly Step[];
}

const gap = 44;

function layOut(props: StepsProps, setting: LayoutSetting): Layout {
  const { frame } = setting;
  if (frame.shape === 'wide') {
    const beside = props.title !== null && longestWord(props.title) <= 16;
    return hill(props, setting) ?? trail(props, { left: beside ? frame.safe.width * 0.38 : 0, titleShare: 0.2 }, setting);
  }
  const roomy = trail(props, { left: 0, titleShare: 0.24 }, setting);
  const tight = roomy.steps.some(({ label, detail }) => label.size < 40 || (detail !== null && detail.size < 34));
  return tight ? trail(props, { left: 0, titleShare: 0.12 }, setting) : roomy;
}

const longestWord = (text: string): number => Math.max(...text.split(/\s+/u).map((word) => word.length));

function setTitle(
  { title }: StepsProps,
  { theme, language }: LayoutSetting,
  { width, height }: { readonly width: number; readonly height: number },
): TextSet | null {
  if (title === null) return null;
  return setText({
    text: cased(theme, title, language),
    face: theme.display,
    size: 138,
    minSize: 54,
    width,
    height,
    maxCharacters: 22,
  });
}

function setSteps(
  { steps }: StepsProps,
  { theme }: LayoutSetting,
  { width, height, size }: { readonly width: number; readonly height: number; readonly size: number },
): { labels: TextSet[]; details: (TextSet | null)[]; height: number } {
  const request = (text: string, isLabel: boolean): TextRequest => ({
    text,
    face: isLabel ? theme.strong : theme.text,
    size: isLabel ? size : Math.max(34, size * 0.72),
    width,
    height: height * (isLabel ? 0.47 : 0.53),
    maxCharacters: isLabel ? 40 : 64,
    lineHeight: isLabel ? 1.1 : 1.16,
  });
  const labels = setTexts(steps.map(({ label }) => request(label, true)));
  const shown = setTexts(steps.flatMap(({ detail }) => (detail === null ? [] : [request(detail, false)])));
  let next = 0;
  const details = steps.map(({ detail }) => (detail === null ? null : (shown[next++] ?? null)));
  const heights = labels.map((label, index) => label.height + (details[index] ? (details[index]?.height ?? 0) + 10 : 0));
  return { labels, details, height: Math.max(...heights) };
}

/**
 * Lays out columns below a rising ridge, with growing figures on it. Returns `null` if the texts are too long for columns.
 */
function hill(props: StepsProps, setting: LayoutSetting): Layout | null {
  const { frame, theme, language } = setting;
  const { safe } = frame;
  const count = props.steps.length;
  const pitch = (safe.width + gap) / count;
  const tried = [54, 50, 46, 42].map((size) => setSteps(props, setting, { width: pitch - gap, height: 300, size }));
  const texts = tried.find(({ labels }) => labels.every(({ lines }) => lines.length === 1)) ?? tried[1];
  if (texts === undefined) return null;
  const hasIcons = props.steps.some(({ icon }) => icon !== null);
  const numberSpace = hasIcons ? 70 : 0;
  const block = texts.height + numberSpace;
  const longest = Math.max(...props.steps.map(({ label }) => longestWord(label)));
  const calm = texts.labels.every(({ lines, size }) => lines.length <= 2 && size >= 40) && longest < 20;
  if (!calm || texts.details.some((detail) => detail !== null && detail.lines.length > 4) || block > 330) return null;

  const low = Math.min(800, safe.y + safe.height - block - 34);
  const rise = Math.min(270, low - 500);
  const ridge = (x: number) => low - rise * (0.3 * (x / frame.width) + 0.7 * (x / frame.width) ** 2);
  const lastX = safe.x + (count - 1) * pitch;
  const title = setTitle(props, setting, { width: lastX - safe.x - 40, height: 290 });
  const titleBottom = title === null ? 0 : safe.y + title.height;
  const { top, bottom } = capitalBounds(theme.display);
  const path = Array.from({ length: 49 }, (_, index): Point => [(index * frame.width) / 48, ridge((index * frame.width) / 48)]);
  const shares = sharesOf(path);
  const places = props.steps.map((_, index) => {
    const x = safe.x + index * pitch;
    const middle = x + Math.min(pitch - gap, 200) / 2;
    return { x, y: ridge(middle), share: shares[Math.round((middle / frame.width) * 48)] ?? 0 };
  });
  const numbers = places.map((_, index) => figure(index + (props.start ?? 1), 0, language));
  const sizes = places.map(({ x, y }, index) => {
    const number = numbers[index] ?? '';
    // A two-digit number must not be wider than its column.
    const widest = number.length > 1 ? ((pitch - 24) * (bottom - top)) / measure(theme.display, number) : Infinity;
    const wanted = (title === null ? 540 : 430) * (0.3 + (0.7 * (index + 1)) / count);
    const free = title !== null && x < safe.x + title.width + 30 ? y - titleBottom - 34 : y - safe.y - 10;
    return Math.min(wanted, free, widest);
  });
  const steps = texts.labels.map((label, index): Step => {
    const { x, y, share } = places[index] ?? { x: 0, y: 0, share: 0 };
    // The figure below the title is limited in height, and no earlier figure may be larger.
    const size = Math.max(60, Math.min(...sizes.slice(index).map((later, ahead) => later * 0.86 ** ahead)));
    const em = size / (bottom - top);
    return {
      x,
      y,
      number: setText({
        text: numbers[index] ?? '',
        face: theme.display,
        size: hasIcons ? 64 : em,
        width: 2000,
        height: 2000,
        lineHeight: 1,
      }),
      numberY: hasIcons ? ridge(x) + 44 : y - bottom * em + size * 0.03,
      size,
      textX: x,
      textY: ridge(x) + 44 + numberSpace,
      label,
      detail: texts.details[index] ?? null,
      share,
    };
  });
  return { kind: 'hill', title, titleY: safe.y, paths: [path], steps };
}

/** Lays out numbers on a loose line from top to bottom, with all texts left-aligned. */
function trail(
  props: StepsProps,
  { left, titleShare }: { readonly left: number; readonly titleShare: number },
  setting: LayoutSetting,
): Layout {
  const { frame, theme, language } = setting;
  const { safe } = frame;
  const count = props.steps.length;
  const title = setTitle(props, setting, {
    width: left > 0 ? left - 80 : safe.width,
    height: left > 0 ? safe.height : safe.height * titleShare,
  });
  const head = title === null || left > 0 ? 0 : title.height + 58;
  const pitch = Math.min(count <= 3 ? 350 : 250, (safe.height - head) / count);
  const size = Math.min(pitch * 0.68, 190);
  const centre = safe.x + left + size / 2 + 14;
  const textX = centre + size / 2 + 52;
  const texts = setSteps(props, setting, {
    width: safe.x + safe.width - textX,
    height: pitch * 0.99,
    size: Math.min(86, pitch * 0.32),
  });
  const top = safe.y + Math.max(0, (safe.height - head - pitch * count) * 0.4);
  const steps = texts.labels.map((label, index): Step => {
    const detail = texts.details[index] ?? null;
    const y = top + head + pitch * (index + 0.5);
    return {
      x: centre + (index % 2 === 0 ? -12 : 14),
      y,
      number: setText({
        text: figure(index + (props.start ?? 1), 0, language),
        face: theme.display,
        size,
        width: size * 2,
        height: size * 2,
      }),
      numberY: y,
      size,
      textX,
      textY: y - (label.height + (detail === null ? 0 : detail.height + 8)) / 2,
      label,
      detail,
      share: 1,
    };
  });
  const paths = steps.map((step, index) => {
    const before = steps[index - 1];
    if (before !== undefined) return link(before, step);
    return title === null || left > 0 ? [] : underline(title, { x: safe.x, y: top + title.height + 12 }, step);
  });
  return { kind: 'trail', title, titleY: top, paths, steps };
}

/** Returns a bent line from the bottom of one number to the top of the next. */
function link(from: Step, to: Step): Point[] {
  const [startY, endY] = [from.y + from.size / 2, to.y - to.size / 2];
  const bend = (to.x > from.x ? 1 : -1) * 14;
  return Array.from({ length: 8 }, (_, index): Point => {
    const share = index / 7;
    return [from.x + (to.x - from.x) * share + bend * Math.sin(share * 2 * Math.PI), startY + (endY - startY) * share];
  });
}

/** Returns the line below the title, which turns back and runs down to the first number. */
function underline(title: TextSet, { x, y }: { readonly x: number; readonly y: number }, first: Step): Point[] {
  const line = Array.from({ length: 12 }, (_, index): Point => {
    const share = index / 11;
    return [x + Math.min(title.width, 760) * (1 - share), y + 5 * Math.sin(share * 5)];
  });
  return [...line, [x - 20, y + 15], [x - 2, y + 32], [first.x - 6, first.y - first.size / 2]];
}

/** Shows steps along a path that climbs a hill with growing figures, or winds down from number to number. */
export function StepsFormat(props: StepsProps) {
  const { frame, colors, motion } = useScene();
  const layout = useLayout(layOut, props);
  const at = arrivals(layout.steps.length, motion.duration, props.title === null ? 0.3 : 0.65);
  return (
    <>
      {layout.kind === 'hill' ? <Hill layout={layout} props={props} at={at} /> : <Trail layout={layout} props={props} at={at} />}
      {layout.title === null ? null : (
        <Lines
          set={layout.title}
          x={frame.safe.x}
          y={layout.titleY}
          color={colors.ink}
          progress={(line) => motion.enter(line * 0.08)}
          leave={motion.leave()}
        />
      )}
    </>
  );
}

interface SceneProps {
  readonly layout: Layout;
  readonly props: StepsProps;
  readonly at: (index: number) => number;
}

function Hill({ layout, props, at }: SceneProps) {
  const { frame, theme, colors, motion } = useScene();
  const { steps } = layout;
  const path = layout.paths[0] ?? [];
  const leave = motion.leave();
  const fill = colors.dark ? colors.surface : colors.ink;
  const ink = colors.dark ? colors.ink : colors.onInk;
  const quiet = readable(mix(ink, fill, 0.2), fill);
  const bright = readable(colors.accent, fill);
  const slide = (1 - motion.enter(0.1, 0.9)) * 120 + leave * (frame.height - (path.at(-1)?.[1] ?? 0));
  const outline = `${smoothPath(path)}V${frame.height + 200}H0Z`;
  const hasIcons = props.steps.some(({ icon }) => icon !== null);
  return (
    <div className="box" style={{ inset: 0, transform: `translateY(${slide}px)` }}>
      {steps.map((step, index) => {
        const grown = motion.spring(at(index) - 0.1, 0.8);
        const sway = Math.sin(motion.drift(10) * 1.3 + index * 1.4) * 0.6 * Math.min(1, grown);
        const name = props.steps[index]?.icon ?? null;
        const own = { x: step.x, y: step.y - step.size, width: step.size, height: step.size };
        return (
          <div
            key={step.x}
            className="box"
            style={{
              inset: 0,
              transform: `translateY(${(1 - grown) * step.size * 1.15}px) rotate(${sway}deg)`,
              transformOrigin: `${frame.left(step.x, step.size)}px ${step.y}px`,
            }}
          >
            {hasIcons ? (
              <Box {...own}>
                {name === null ? null : <Icon name={name} size={step.size} color={colors.accent} stroke={1.8} />}
              </Box>
            ) : (
              <Lines set={step.number} x={step.x} y={step.numberY} color={colors.accent} entrance="none" progress={() => 1} />
            )}
          </div>
        );
      })}
      <svg aria-hidden width={frame.width} height={frame.height}>
        <path d={outline} fill={fill} transform={frame.rightToLeft ? `translate(${frame.width} 0) scale(-1 1)` : undefined} />
      </svg>
      <theme.Path
        points={path}
        width={theme.stroke * 2}
        progress={drawnTo(
          steps.map(({ share }) => share),
          at,
          motion,
        )}
        tone="accent"
        seed={4}
      />
      {steps.map((step, index) => (
        <div key={step.x} className="box" style={{ inset: 0, opacity: 1 - motion.leave(0.12) }}>
          {hasIcons ? (
            <Lines
              set={step.number}
              x={step.textX}
              y={step.numberY}
              color={bright}
              entrance="fade"
              progress={() => motion.enter(at(index), 0.45)}
            />
          ) : null}
          <StepTexts step={step} at={at(index)} ink={ink} quiet={quiet} />
        </div>
      ))}
    </div>
  );
}

function Trail({ layout, props, at }: SceneProps) {
  const { theme, colors, motion } = useScene();
  const { steps, paths } = layout;
  const leave = motion.leave();
  return (
    <div className="box" style={{ inset: 0, opacity: 1 - leave, transform: `translateY(${leave * -40}px)` }}>
      {paths.map((points, index) =>
        points.length === 0 ? null : (
          <theme.Path
            key={points.join()}
            points={points}
            width={theme.stroke * 2}
            progress={motion.draw(Math.max(0.1, at(index) - 0.5), 0.55)}
            tone="ink"
            seed={12 + index}
          />
        ),
      )}
      {steps.map((step, index) => {
        const name = props.steps[index]?.icon ?? null;
        const isLast = index === steps.length - 1;
        const beat = 1 + 0.012 * Math.sin(motion.drift(2) * 2 + index);
        return (
          <div key={step.y} className="box" style={{ inset: 0 }}>
            <theme.Badge
              x={step.x - step.size / 2}
              y={step.y - step.size / 2}
              size={step.size}
              index={index}
              progress={motion.spring(at(index) - 0.1, 0.6) * beat}
              tone={isLast ? 'accent' : 'ink'}
            >
              {name === null ? step.number.lines.join('') : <Icon name={name} size={step.size * 0.56} />}
            </theme.Badge>
            <StepTexts step={step} at={at(index)} ink={colors.ink} quiet={colors.muted} />
          </div>
        );
      })}
    </div>
  );
}

function StepTexts({
  step,
  at,
  ink,
  quiet,
}: {
  readonly step: Step;
  readonly at: number;
  readonly ink: string;
  readonly quiet: string;
}) {
  const { motion } = useScene();
  const { label, detail, textX, textY } = step;
  return (
    <>
      <Lines set={label} x={textX} y={textY} color={ink} entrance="fade" progress={() => motion.enter(at + 0.08, 0.45)} />
      {detail === null ? null : (
        <Lines
          set={detail}
          x={textX}
          y={textY + label.height + 8}
          color={quiet}
          entrance="fade"
          progress={() => motion.enter(at + 0.3, 0.4)}
        />
      )}
    </>
  );
}
