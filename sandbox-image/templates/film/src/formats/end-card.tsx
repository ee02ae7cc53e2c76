import { faceStyle, Lines } from '../drawing/lines.tsx';
import { Picture } from '../drawing/picture.tsx';
import { Box, Inset, type LayoutSetting, useLayout, useScene } from '../drawing/setting.tsx';
import { cased, leftToRight, measure, setOptional, setText, type TextSet } from '../drawing/text.ts';
import type { Rect } from '../themes/theme.ts';

interface EndCardProps {
  readonly brand: string | null;
  readonly logo: string | null;
  readonly headline: string | null;
  readonly action: string | null;
  readonly url: string | null;
  readonly handle: string | null;
}

interface Placed {
  readonly set: TextSet;
  readonly x: number;
  readonly y: number;
}

interface Button extends Rect {
  readonly label: Placed;
  readonly arrow: { readonly x: number; readonly y: number; readonly length: number; readonly stroke: number } | null;
}

interface Layout {
  readonly brand: TextSet | null;
  readonly headline: Placed | null;
  /** `null` if there is only a headline. */
  readonly button: Button | null;
  readonly url: Placed | null;
  readonly handle: Placed | null;
}

const brandHeight = 84;
const logoWidth = 340;

/** Returns the button's label: the action, otherwise the first of address, handle and name, which then appears only there. */
function labelled(props: EndCardProps): { readonly label: string | null; readonly rest: EndCardProps } {
  const field = (['action', 'url', 'handle', 'brand'] as const).find((name) => props[name] !== null);
  if (field === undefined) return { label: null, rest: props };
  return { label: props[field], rest: { ...props, [field]: null } };
}

/** Sizes by the shape of the frame. `gap` is between headline and button, and `alone` is a button without a headline. */
const sizes = {
  wide: { headline: 156, gap: 64, button: 256, alone: 400 },
  square: { headline: 119, gap: 64, button: 216, alone: 420 },
  tall: { headline: 150, gap: 84, button: 560, alone: 560 },
} as const;

function setHeadline(text: string | null, height: number, isAlone: boolean, { frame, theme, language }: LayoutSetting) {
  const isLarge = isAlone || (text ?? '').length <= 12;
  return setOptional(text && cased(theme, text, language), {
    face: theme.display,
    size: isLarge ? 210 : sizes[frame.shape].headline,
    minSize: 60,
    width: frame.safe.width,
    height,
    maxCharacters: frame.shape === 'wide' ? 24 : 16,
  });
}

function setBrand(text: string | null, hasLogo: boolean, { frame, theme }: LayoutSetting) {
  return setOptional(text, {
    face: theme.display,
    size: 58,
    minSize: 40,
    width: frame.safe.width - (hasLogo ? logoWidth + 26 : 0),
    height: brandHeight,
    maxCharacters: 40,
  });
}

/** Positions everything relative to the button: small print below, headline above, brand at the top edge. */
function layOut(props: EndCardProps, setting: LayoutSetting): Layout {
  const { frame, theme, language } = setting;
  const { safe, shape } = frame;
  const { label, rest } = labelled(props);
  const print = smallPrint(rest, setting);
  const headSpace = rest.brand === null && props.logo === null ? 0 : brandHeight + (shape === 'wide' ? 44 : 64);
  const room = safe.height - headSpace - print.height;
  const least = label === null ? 0 : { wide: 256 + 64, square: 216 + 64, tall: safe.height * 0.36 + 84 }[shape];
  const headline = setHeadline(props.headline, room - least, label === null, setting);
  const brand = setBrand(rest.brand, props.logo !== null, setting);
  if (label === null) {
    const y = safe.y + headSpace + (room - (headline?.height ?? 0)) * 0.46;
    return { brand, headline: headline && { set: headline, x: safe.x, y }, button: null, url: null, handle: null };
  }
  const gap = headline === null ? 0 : sizes[shape].gap;
  const left = room - (headline?.height ?? 0) - gap;
  const largest = headline === null ? sizes[shape].alone : sizes[shape].button;
  const height = Math.min(left, largest);
  const foot = headSpace === 0 && headline === null ? (room + height) / 2 : room;
  const button = { x: safe.x, y: safe.y + headSpace + foot - height, width: safe.width, height };
  const text = label === props.url || label === props.handle ? leftToRight(label) : cased(theme, label, language);
  return {
    brand,
    headline: headline && { set: headline, x: safe.x, y: button.y - gap - headline.height },
    button: { ...button, ...labelOf(text, button, setting) },
    url: print.url && { ...print.url, y: button.y + height + print.url.y },
    handle: print.handle && { ...print.handle, y: button.y + height + print.handle.y },
  };
}

/** Sets one line beside an arrow in a flat button, or a few lines above it in a tall one. */
function labelOf(text: string, button: Rect, { frame, theme }: LayoutSetting): Pick<Button, 'label' | 'arrow'> {
  const padding = Math.max(60, theme.radius + 16);
  const width = button.width - 2 * padding;
  const stacked = button.height > 300 && frame.shape !== 'wide';
  const stroke = 11;
  const shaft = stacked ? 130 : 0;
  const largest = { wide: button.height * 0.44, square: 104, tall: 220 }[frame.shape];
  // An address is a single word, so it is shrunk before it is broken.
  const oneWord = /\s/u.test(text) ? Number.POSITIVE_INFINITY : (width * 0.98) / measure(theme.display, text);
  const set = setText({
    text,
    face: theme.display,
    size: Math.min(stacked ? Math.max(largest, 150) : largest, Math.max(oneWord, 44)),
    minSize: Math.min(56, Math.max(oneWord, 44)),
    width,
    height: button.height - 72 - shaft,
    maxCharacters: stacked ? 12 : 30,
  });
  if (stacked) {
    const y = button.y + (button.height - shaft - set.height) * 0.5 + 8;
    return {
      label: { set, x: button.x + padding, y },
      arrow: { x: button.x + padding, y: button.y + button.height - shaft * 0.72, length: width, stroke },
    };
  }
  const right = button.x + button.width - padding;
  const length = Math.min(button.width * 0.2, right - (button.x + padding + set.width) - 80);
  return {
    label: { set, x: button.x + padding, y: button.y + (button.height - set.height) / 2 },
    arrow: length < 120 ? null : { x: right - length, y: button.y + button.height / 2, length, stroke },
  };
}

interface SmallPrint {
  readonly url: Placed | null;
  readonly handle: Placed | null;
  readonly height: number;
}

/**
 * Positions address and handle at both ends of a line, or one above the other. Their `y` is relative to the bottom of the
 * button.
 */
function smallPrint({ url, handle }: EndCardProps, { frame, theme }: LayoutSetting): SmallPrint {
  const { safe } = frame;
  const set = (text: string | null, face: TextSet['face']) =>
    text === null ? null : setText({ text: leftToRight(text), face, size: 44, width: safe.width, height: 64, maxCharacters: 60 });
  const [first, second] = [set(url, theme.strong), set(handle, theme.text)];
  const space = 50;
  const oneLine = (first?.width ?? 0) + (second?.width ?? 0) + 60 <= safe.width;
  const step = Math.max(first?.lineStep ?? 0, second?.lineStep ?? 0);
  const rows = (first === null ? 0 : 1) + (second === null || (oneLine && first !== null) ? 0 : 1);
  const secondX = oneLine && first !== null ? safe.x + safe.width - (second?.width ?? 0) : safe.x;
  return {
    url: first && { set: first, x: safe.x, y: space },
    handle: second && { set: second, x: secondX, y: space + (rows - 1) * step },
    height: rows === 0 ? 0 : space + rows * step,
  };
}

/** The last scene: a full-width button that is pressed once. */
export function EndCardFormat(props: EndCardProps) {
  const { frame, colors, motion } = useScene();
  const layout = useLayout(layOut, props);
  const { safe } = frame;
  const leave = motion.leave();
  const printed = [layout.url, layout.handle];
  return (
    <>
      {props.logo === null && layout.brand === null ? null : (
        <Box
          x={safe.x}
          y={safe.y}
          width={safe.width}
          height={brandHeight}
          opacity={motion.enter(0, 0.45) * (1 - leave)}
          style={{ display: 'flex', alignItems: 'center', gap: 26 }}
        >
          {props.logo === null ? null : (
            <Picture
              src={props.logo}
              style={{
                height: brandHeight,
                maxWidth: logoWidth,
                objectFit: 'contain',
                transform: `scale(${0.9 + 0.1 * motion.enter(0, 0.45)})`,
              }}
            />
          )}
          {layout.brand === null ? null : (
            <div style={{ ...faceStyle(layout.brand.face, layout.brand.size, layout.brand.tracking), whiteSpace: 'pre' }}>
              {layout.brand.lines[0]}
            </div>
          )}
        </Box>
      )}
      {layout.headline === null ? null : (
        <Lines {...layout.headline} color={colors.ink} progress={(line) => motion.enter(0.1 + line * 0.07)} leave={leave} />
      )}
      {layout.button === null ? null : <ActionButton button={layout.button} />}
      {printed.map((print, index) =>
        print === null ? null : (
          <Lines
            key={`${print.x} ${print.y}`}
            {...print}
            color={index === 0 ? colors.ink : colors.muted}
            entrance="fade"
            progress={() => motion.enter(1.1 + index * 0.08, 0.4)}
            leave={leave}
          />
        ),
      )}
    </>
  );
}

/** Draws the button, which opens from the start edge. Its shadow is clipped until it is open. */
function ActionButton({ button }: { readonly button: Button }) {
  const { theme, motion, rightToLeft, style } = useScene();
  const { label, arrow } = button;
  const opened = style === 'playful' ? motion.spring(0.3, 0.7) : motion.enter(0.3, 0.55);
  const margin = 24 + 120 * motion.enter(0.8, 0.4);
  const hidden = `${(1 - Math.min(1, opened)) * button.width - margin}px`;
  const clip = rightToLeft
    ? `-${margin}px -${margin}px -${margin}px ${hidden}`
    : `-${margin}px ${hidden} -${margin}px -${margin}px`;
  const pressed = pressAt(motion.seconds, style);
  return (
    <Box
      x={button.x}
      y={button.y}
      width={button.width}
      height={button.height}
      opacity={1 - motion.leave()}
      transform={`scale(${(1 - 0.015 * pressed) * Math.max(1, opened * 0.3 + 0.7)}, ${1 - 0.03 * pressed})`}
      style={{ clipPath: `inset(${clip} round ${theme.radius}px)` }}
    >
      <Inset width={button.width} height={button.height}>
        <theme.Card x={0} y={0} width={button.width} height={button.height} tone="accent">
          {style === 'cinematic' ? <Light /> : null}
          <Lines
            set={label.set}
            x={label.x - button.x}
            y={label.y - button.y}
            color="inherit"
            progress={(line) => motion.enter(0.6 + line * 0.07, 0.5)}
          />
          {arrow === null ? null : (
            <theme.Arrow
              x={arrow.x - button.x + 16 * pressed}
              y={arrow.y - button.y}
              length={arrow.length}
              stroke={arrow.stroke}
              progress={motion.draw(0.85, 0.6)}
              color="currentColor"
            />
          )}
        </theme.Card>
      </Inset>
    </Box>
  );
}

/** Returns 0 to 1 and back per press. Playful films press twice, cinematic ones never. */
function pressAt(seconds: number, style: 'playful' | 'smooth' | 'cinematic'): number {
  if (style === 'cinematic') return 0;
  const starts = style === 'playful' ? [2.1, 2.5] : [2.2];
  return Math.max(...starts.map((at) => (seconds > at && seconds < at + 0.35 ? Math.sin(((seconds - at) / 0.35) * Math.PI) : 0)));
}

function Light() {
  const { motion, theme } = useScene();
  return (
    <div style={{ position: 'absolute', inset: 0, overflow: 'hidden', borderRadius: theme.radius }}>
      <div
        style={{
          position: 'absolute',
          inset: 0,
          transform: `translateX(${-100 + 200 * motion.draw(1.4, 1)}%)`,
          background: 'linear-gradient(100deg, transparent 30%, rgb(255 255 255 / 0.14) 50%, transparent 70%)',
        }}
      />
    </div>
  );
}
