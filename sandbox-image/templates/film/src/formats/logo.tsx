import type { CSSProperties } from 'react';
import { faceStyle, Lines } from '../drawing/lines.tsx';
import { Picture } from '../drawing/picture.tsx';
import { Box, type LayoutSetting, useLayout, useScene } from '../drawing/setting.tsx';
import { cased, setText, type TextSet } from '../drawing/text.ts';
import { contrast, mix, readable } from '../kit/color.ts';
import type { Colors } from '../themes/colors.ts';
import type { Face, Material, Tone } from '../themes/theme.ts';

interface LogoProps {
  readonly text: string;
  readonly asset: string | null;
  readonly tagline: string | null;
  readonly material: Material | null;
}

interface Layout {
  readonly name: TextSet;
  readonly slotHeight: number;
  readonly middle: number;
  readonly tagline: TextSet | null;
  readonly taglineY: number;
}

/** Increases the tracking of capitals, but never in scripts with joined letters. */
function faceFor(text: string, face: Face): Face {
  const capitals = text === text.toUpperCase() && text !== text.toLowerCase();
  return { ...face, tracking: capitals ? Math.max(face.tracking, face.tracking + 0.08) : face.tracking, lineHeight: 1.08 };
}

function layOut({ text, asset, tagline }: Omit<LogoProps, 'material'>, { frame, theme, language }: LayoutSetting): Layout {
  const { safe, shape } = frame;
  const written = cased(theme, text, language);
  const shortSide = Math.min(frame.width, frame.height);
  const caption =
    tagline === null
      ? null
      : setText({
          text: tagline,
          face: theme.text,
          size: 50,
          width: safe.width,
          height: 140,
          maxCharacters: shape === 'wide' ? 60 : 32,
        });
  const room = safe.height - (caption === null ? 0 : caption.height + 64) - 110;
  const name = setText({
    text: written,
    face: faceFor(written, theme.display),
    size: [...text].length <= 3 ? 520 : 370,
    minSize: 56,
    width: safe.width,
    height: Math.min(room, shortSide * (shape === 'wide' ? 0.5 : 0.6)),
    maxCharacters: shape === 'wide' ? 14 : 9,
  });
  const slotHeight = asset === null ? name.height + Math.max(90, name.size * 0.3) : shortSide * 0.43;
  const below = caption === null ? 0 : caption.height + 64;
  const middle = Math.min(safe.y + safe.height * (caption === null ? 0.5 : 0.46), safe.y + safe.height - below - slotHeight / 2);
  return { name, slotHeight, middle, tagline: caption, taglineY: middle + slotHeight / 2 + 64 };
}

/** Lining of the slot, and material of the letters. */
interface Look {
  readonly lining: string;
  readonly rule: Tone;
  /** Opaque colour of the light that crosses the lining. */
  readonly beam: string;
  /** Returns the style of the letters, with the light at `light` per cent of the width. */
  letters(light: number): CSSProperties;
  /** Outline of the given width, drawn behind the letters. */
  readonly outline: { readonly color: string; readonly width: number; readonly halo: boolean } | null;
}

const clipped = (background: string): CSSProperties => ({
  backgroundImage: background,
  backgroundClip: 'text',
  color: 'transparent',
});

function lookOf(material: Material, colors: Colors): Look {
  const night = colors.dark ? colors.groundTop : mix(colors.ink, '#000000', 0.4);
  switch (material) {
    case 'gold':
      return {
        lining: 'linear-gradient(#120f0a, #1f1911 10%, #33281a)',
        rule: 'accent',
        beam: '#e8cf8f22',
        letters: (light) =>
          clipped(
            `linear-gradient(107deg, #b49045 ${light - 46}%, #c19742 ${light - 24}%, #e6c97f ${light - 9}%, #fffbe9 ${light}%, #e6c97f ${light + 9}%, #c2983f ${light + 26}%, #d4af55 ${light + 52}%, #b49045 ${light + 75}%)`,
          ),
        outline: null,
      };
    case 'glass': {
      const shade = (amount: number) => mix(colors.accent, '#05070f', amount);
      return {
        lining: `linear-gradient(100deg, ${shade(0.82)}, ${shade(0.6)} 50%, ${shade(0.45)})`,
        rule: 'accent',
        beam: '#ffffff26',
        letters: (light) =>
          clipped(
            `linear-gradient(107deg, #ffffff00 ${light - 22}%, #ffffffd0 ${light}%, #ffffff00 ${light + 22}%), linear-gradient(#ffffffd9, #ffffff8c 55%, #ffffffb3)`,
          ),
        outline: { color: '#ffffff', width: 3, halo: false },
      };
    }
    case 'neon': {
      const glow = readable(colors.accent, night);
      return {
        lining: night,
        rule: 'accent',
        beam: `${glow}1f`,
        letters: () => ({ color: mix(night, glow, 0.2) }),
        outline: { color: glow, width: 12, halo: true },
      };
    }
    case 'chalk': {
      const board = colors.dark ? mix(colors.groundTop, '#000000', 0.18) : '#26332c';
      const chalk = contrast(colors.ink, board) >= 7 ? colors.ink : '#f2f0e6';
      return {
        lining: board,
        rule: 'helper',
        beam: '#ffffff0d',
        letters: () => clipped(`repeating-linear-gradient(118deg, ${chalk} 0 5px, ${chalk}b0 5px 9px)`),
        outline: { color: chalk, width: 3, halo: false },
      };
    }
    case 'flat':
      return {
        lining: colors.accent,
        rule: 'ink',
        beam: '#ffffff1f',
        letters: () => ({ color: colors.onAccent }),
        outline: null,
      };
  }
}

/** Shows a line that opens like a case, with the name inside. Everything moves except the letters. */
export function LogoFormat(props: LogoProps) {
  const { frame, theme, colors, motion, style } = useScene();
  const { text, asset, tagline } = props;
  const layout = useLayout(layOut, { text, asset, tagline });
  const material = lookOf(props.material ?? theme.material, colors);
  // An uploaded logo in its own colours gets a neutral background.
  const look = asset === null ? material : { ...material, lining: colors.surface, rule: 'accent' as const };
  const wait = style === 'cinematic' ? 0.4 : 0;
  const opening = style === 'playful' ? motion.spring(0.45, 0.8) : motion.draw(0.45 + wait, 0.7);
  const open = Math.max(0, opening) * (1 - motion.leave(0.18));
  // The line is complete until the slot is closed.
  const drawn = motion.enter(0, 0.5) * (1 - Math.max(0, motion.leave() - 0.2) / 0.8);
  const height = layout.slotHeight * open;
  const top = layout.middle - height / 2;
  // The light enters with the opening, then drifts while the name is read.
  const light = -20 + 56 * motion.enter(0.6 + wait, 1.6) + 2 * motion.drift(12);
  const length = frame.width * drawn;
  const lineX = (frame.width - length) / 2;
  return (
    <>
      {height < 1 ? null : (
        <Box x={0} y={top} width={frame.width} height={height} style={{ overflow: 'hidden' }}>
          <Lining look={look} light={light} height={layout.slotHeight} shift={layout.middle - layout.slotHeight / 2 - top}>
            {asset === null ? <Name layout={layout} look={look} light={light} at={0.5 + wait} /> : <Mark src={asset} />}
          </Lining>
        </Box>
      )}
      {length < 2 ? null : (
        <>
          <theme.Rule x={lineX} y={top - theme.stroke / 2} length={length} progress={1} tone={look.rule} seed={1} />
          <theme.Rule x={lineX} y={top + height - theme.stroke / 2} length={length} progress={1} tone={look.rule} seed={2} />
        </>
      )}
      {layout.tagline === null ? null : (
        <Lines
          set={layout.tagline}
          x={frame.safe.x}
          y={layout.taglineY}
          width={frame.safe.width}
          align="center"
          color={colors.ink}
          entrance="fade"
          progress={(line) => motion.enter((style === 'cinematic' ? 1.8 : 1.35) + line * 0.08, 0.5)}
          leave={motion.leave(0.35)}
        />
      )}
    </>
  );
}

/** Draws the inside of the slot, which does not move while the slot opens. */
function Lining({
  look,
  light,
  height,
  shift,
  children,
}: {
  readonly look: Look;
  readonly light: number;
  readonly height: number;
  readonly shift: number;
  readonly children: React.ReactNode;
}) {
  return (
    <div style={{ position: 'absolute', left: 0, right: 0, top: shift, height }}>
      <div style={{ position: 'absolute', inset: '-60px 0', background: look.lining }} />
      <div
        style={{
          position: 'absolute',
          inset: '-60px 0',
          background: `linear-gradient(107deg, transparent ${light - 15}%, ${look.beam} ${light}%, transparent ${light + 15}%)`,
        }}
      />
      {children}
    </div>
  );
}

/** Draws the lines of the name in layers as wide as the frame, so that a single beam of light crosses all of them. */
function Name({
  layout: { name, slotHeight },
  look,
  light,
  at,
}: {
  readonly layout: Layout;
  readonly look: Look;
  readonly light: number;
  readonly at: number;
}) {
  const { frame, motion, style } = useScene();
  const grown = style === 'playful' ? 0.8 + 0.2 * motion.spring(at + 0.15, 0.7) : 1;
  const written = motion.draw(at + 0.1, 0.9);
  const { outline } = look;
  const base: CSSProperties = {
    ...faceStyle(name.face, name.size, name.tracking),
    position: 'absolute',
    left: 0,
    width: frame.width,
    textAlign: 'center',
    whiteSpace: 'pre',
    lineHeight: `${name.lineStep}px`,
    // Clipped backgrounds end at the box, which is too short for some descenders.
    padding: `${name.size * 0.2}px 0`,
    // Compensates for the tracking after the last letter, which would shift the line off centre.
    textIndent: name.tracking * name.size,
  };
  return name.lines.map((line, index) => {
    const top = (slotHeight - name.height) / 2 + index * name.lineStep - name.size * 0.2;
    const place = { ...base, top, transform: grown === 1 ? undefined : `scale(${grown})` };
    return (
      <div
        key={top}
        style={{
          clipPath:
            written >= 1 || outline === null
              ? undefined
              : `inset(0 ${frame.rightToLeft ? 0 : (1 - written) * 100}% 0 ${frame.rightToLeft ? (1 - written) * 100 : 0}%)`,
          position: 'absolute',
          inset: 0,
        }}
      >
        {outline === null ? (
          <div aria-hidden style={{ ...place, top: top + name.size * 0.016, color: '#00000055' }}>
            {line}
          </div>
        ) : (
          <>
            {outline.halo ? (
              <div
                aria-hidden
                style={{ ...place, color: 'transparent', WebkitTextStroke: `${outline.width * 4}px ${outline.color}30` }}
              >
                {line}
              </div>
            ) : null}
            <div aria-hidden style={{ ...place, color: 'transparent', WebkitTextStroke: `${outline.width}px ${outline.color}` }}>
              {line}
            </div>
          </>
        )}
        <div style={{ ...place, ...look.letters(light) }}>{line}</div>
      </div>
    );
  });
}

function Mark({ src }: { readonly src: string }) {
  const { frame } = useScene();
  return (
    <Picture
      src={src}
      style={{
        position: 'absolute',
        left: '50%',
        top: '50%',
        height: '64%',
        maxWidth: frame.safe.width,
        objectFit: 'contain',
        transform: 'translate(-50%, -50%)',
      }}
    />
  );
}
