import { AddressBar, type Device, DeviceBody, type DeviceKind, Island, Pointer, screenColors } from '../drawing/device.tsx';
import type { Frame } from '../drawing/frame.ts';
import { Icon } from '../drawing/icon.tsx';
import { Lines } from '../drawing/lines.tsx';
import type { Motion } from '../drawing/motion.ts';
import { Picture } from '../drawing/picture.tsx';
import { Box, Inset, type LayoutSetting, useLayout, useScene } from '../drawing/setting.tsx';
import { cased, setOptional, setText, setTexts, type TextSet } from '../drawing/text.ts';
import type { Rect } from '../themes/theme.ts';

interface MockupProps {
  readonly frame: DeviceKind;
  readonly url: string | null;
  readonly screenshot: string | null;
  readonly headline: string;
  readonly subline: string | null;
  readonly rows: readonly { readonly icon: string | null; readonly text: string }[];
  readonly button: string | null;
}

interface Placed {
  readonly set: TextSet;
  readonly x: number;
  readonly y: number;
}

interface Row {
  readonly text: Placed;
  readonly icon: string | null;
  readonly iconBox: Rect;
}

interface Content {
  readonly headline: Placed | null;
  readonly subline: Placed | null;
  readonly rows: readonly Row[];
  readonly rules: readonly { readonly x: number; readonly y: number; readonly length: number }[];
  readonly panel: Rect | null;
  /** Coloured area behind an app's headline. */
  readonly field: Rect | null;
  readonly button: (Rect & { readonly label: TextSet }) | null;
}

interface Layout {
  readonly device: Device;
  readonly content: Content;
  /** Headline and subline that are beside or above the device instead of on its screen. */
  readonly outside: { readonly headline: Placed; readonly subline: Placed | null } | null;
  readonly barX: number;
  readonly turned: boolean;
}

const bezel = 22;

/** Positions a device so that it extends beyond the bottom of the frame, which makes its text large. */
function placeDevice(kind: DeviceKind, { x, y, width, height }: Rect, hasBar: boolean, radius: number): Device {
  const body = { x, y, width, height };
  const inset = kind === 'browser' ? 0 : bezel;
  const barHeight = kind !== 'phone' && hasBar ? 104 : 0;
  const screen = { x: x + inset, y: y + inset + barHeight, width: width - 2 * inset, height: height - 2 * inset - barHeight };
  return {
    kind,
    body,
    screen,
    bar: barHeight === 0 ? null : { x: screen.x, y: y + inset, width: screen.width, height: barHeight },
    deck: kind === 'laptop' ? { x: x - 90, y: y + height - 4, width: width + 180, height: 46 } : null,
    radius: kind === 'phone' ? Math.max(70, Math.min(128, radius * 4)) : Math.min(36, radius),
  };
}

function bodyFor(kind: DeviceKind, frame: Frame, below: number, turned: boolean): Rect {
  const { safe, shape, width, height, story } = frame;
  const top = Math.max(below, story ? safe.y : 64);
  if (turned) return { x: 1130, y: 66, width: 620, height: 1300 };
  if (kind === 'phone') {
    const side = story || shape === 'tall' ? safe.x : (width - 780) / 2;
    return { x: side, y: top, width: width - 2 * side, height: height - top + 300 };
  }
  if (kind === 'browser') return { x: safe.x - 54, y: top, width: safe.width + 108, height: height - top + 200 };
  const side = shape === 'wide' ? safe.x + 30 : safe.x - 4;
  const foot = shape === 'wide' ? height - 74 : safe.y + safe.height - 40;
  return { x: side, y: top, width: width - 2 * side, height: foot - top };
}

function buttonAt(
  text: string | null,
  at: { x: number; y: number; width: number; full: boolean; size: number },
  { theme }: LayoutSetting,
): Content['button'] {
  if (text === null) return null;
  const label = setText({
    text,
    face: theme.strong,
    size: at.size,
    width: at.width - 150,
    height: at.size * 2.6,
    maxCharacters: 24,
    lineHeight: 1.15,
  });
  const width = at.full ? at.width : Math.min(at.width, label.width + 190);
  return { x: at.x, y: at.y, width, height: Math.max(at.size * 2.3, label.height + at.size), label };
}

interface RowsBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly pitch: number;
  readonly size: number;
  readonly columns: number;
}

/** Sets rows of one size, on one line each if that reduces the size only a little. */
function setRows(rows: MockupProps['rows'], box: RowsBox, { theme }: LayoutSetting): Row[] {
  const { columns, pitch, size } = box;
  const icon = size * 1.3;
  const lead = rows.some((row) => row.icon !== null) ? icon + size * 0.6 : 0;
  const column = (box.width - 40 * (columns - 1)) / columns;
  const setIn = (height: number) =>
    setTexts(
      rows.map(({ text }) => ({
        text,
        face: theme.strong,
        size,
        // The next smaller size is still above the readable minimum.
        minSize: 34.6,
        width: column - lead,
        height,
        maxCharacters: 30,
        lineHeight: 1.12,
      })),
    );
  const single = setIn(size * 1.2);
  const texts = (single[0]?.size ?? 0) >= Math.max(34, size * 0.86) ? single : setIn(pitch * 0.94);
  return texts.map((set, index) => {
    const x = box.x + (index % columns) * (column + 40);
    const y = box.y + Math.floor(index / columns) * pitch;
    return {
      text: { set, x: x + lead, y: y + (pitch - set.height) / 2 },
      icon: rows[index]?.icon ?? null,
      iconBox: { x, y: y + (pitch - icon) / 2, width: icon, height: icon },
    };
  });
}

/** Lays out headline, subline and button beside a column of rows. */
function beside(props: MockupProps, device: Device, area: Rect, setting: LayoutSetting): Content {
  const { theme, language } = setting;
  const { screen } = device;
  const listWidth = props.rows.length === 0 ? 0 : Math.min(590, screen.width * 0.36);
  const listX = screen.x + screen.width - listWidth;
  const width = listX - area.x - (listWidth === 0 ? area.x - screen.x : 50);
  const alone = props.rows.length === 0 && props.button === null;
  const headline = setText({
    text: cased(theme, props.headline, language),
    face: theme.display,
    size: alone ? 240 : 132,
    minSize: 60,
    width,
    height: area.height * 0.62,
    maxCharacters: alone ? 16 : 17,
  });
  const subline =
    props.subline === null
      ? null
      : setText({ text: props.subline, face: theme.text, size: 44, width, height: 130, maxCharacters: 46 });
  const label = buttonAt(props.button, { x: area.x, y: 0, width, full: false, size: 48 }, setting);
  const block = headline.height + (subline === null ? 0 : subline.height + 34) + (label === null ? 0 : label.height + 48);
  const y = area.y + (area.height - block) * 0.4;
  const sublineY = y + headline.height + 34;
  const pitch = Math.min(190, area.height / Math.max(1, props.rows.length));
  const pad = 50;
  const listTop = screen.y;
  return {
    headline: { set: headline, x: area.x, y },
    subline: subline === null ? null : { set: subline, x: area.x, y: sublineY },
    rows: setRows(
      props.rows,
      {
        x: listX + pad,
        y: listTop,
        width: Math.min(listWidth - pad, area.x + area.width - listX - pad),
        pitch,
        size: 46,
        columns: 1,
      },
      setting,
    ),
    rules: props.rows.map((_, index) => ({ x: listX, y: listTop + (index + 1) * pitch, length: listWidth })),
    panel:
      listWidth === 0
        ? null
        : {
            x: listX,
            y: screen.y,
            width: listWidth,
            height: device.body.y + device.body.height - screen.y - (device.kind === 'laptop' ? bezel : 0),
          },
    field: null,
    button: label === null ? null : { ...label, y: y + block - label.height },
  };
}

/** Sets headline and subline on the screen. Without a headline, the subline takes its place. */
function setScreenTitle(props: MockupProps, area: Rect, scale: number, { theme, language }: LayoutSetting) {
  const isTitleOnly = props.rows.length === 0 && props.button === null;
  const headline = setOptional(props.headline === '' ? null : cased(theme, props.headline, language), {
    face: theme.display,
    size: (isTitleOnly ? 172 : 142) * scale,
    minSize: 40,
    width: area.width,
    height: area.height * 0.5,
    maxCharacters: 16,
  });
  const sublineStyle =
    headline === null
      ? { face: theme.display, size: 68, maxCharacters: 20 }
      : { face: theme.text, size: 46, maxCharacters: 40, lineHeight: 1.2 };
  const subline = setOptional(props.subline, {
    ...sublineStyle,
    size: sublineStyle.size * Math.max(0.8, scale),
    width: area.width,
    height: 220,
  });
  const gap = headline !== null && subline !== null ? 24 : 0;
  return { headline, subline, height: (headline?.height ?? 0) + (subline?.height ?? 0) + gap };
}

/** Returns the text at a position, or `null` if there is none. */
function placed(set: TextSet | null, x: number, y: number): Placed | null {
  return set && { set, x, y };
}

/** Returns the distance from the top of the screen to the rows, for a title of this height. */
function headHeightFor(titleHeight: number, gap: number, { kind, screen }: Device): number {
  const island = kind === 'phone' ? screen.width * 0.13 : 30;
  if (titleHeight > 0) return island + gap + titleHeight + gap;
  return island + (kind === 'phone' ? 90 : 0);
}

/** Returns how much of the free space the area above the rows takes, up to a third of the screen. */
function extraFieldHeight(free: number, { rows }: MockupProps, { kind }: Device, area: Rect): number {
  if (kind === 'phone') return Math.min(free * 0.8, area.height * 0.16);
  return free * (rows.length === 0 ? 0.35 : 0.2);
}

const smallSizes = { button: 42, pitch: 116, row: 44 };
const largeSizes = { button: 50, pitch: 150, row: 52 };

/** Lays out headline, rows and button below each other. An app's headline is on an area of colour. */
function stacked(props: MockupProps, device: Device, area: Rect, setting: LayoutSetting): Content {
  const { frame } = setting;
  const { screen } = device;
  const phone = device.kind === 'phone';
  const pad = area.x - screen.x;
  const sizes = area.width < 640 ? smallSizes : largeSizes;
  const columns = device.kind === 'laptop' && props.rows.length > 2 ? 2 : 1;
  const lines = Math.ceil(props.rows.length / columns);
  const ruleCount = phone ? lines : Math.max(0, lines - 1);
  for (let scale = 1; ; scale *= 0.92) {
    const { headline, subline, height: text } = setScreenTitle(props, area, scale, setting);
    const gap = Math.max(28, 40 * scale);
    const label = buttonAt(
      props.button,
      { x: area.x, y: 0, width: area.width, full: phone, size: sizes.button * Math.max(0.8, scale) },
      setting,
    );
    const foot = label === null ? 0 : label.height + gap;
    const headHeight = headHeightFor(text, gap, device);
    const room = area.height - headHeight - foot;
    const pitch = Math.min(sizes.pitch, room / Math.max(1, lines));
    if (lines > 0 && pitch < 84 && scale > 0.4) continue;
    const fieldBottom = area.y + headHeight + extraFieldHeight(Math.max(0, room - pitch * lines), props, device, area);
    const sublineY = fieldBottom - gap - (subline?.height ?? 0);
    const headlineY = fieldBottom - gap - text;
    const rowsBottom = fieldBottom + pitch * lines;
    const size = Math.min(sizes.row, pitch * 0.44);
    return {
      headline: placed(headline, area.x, headlineY),
      subline: placed(subline, area.x, sublineY),
      rows: setRows(props.rows, { x: area.x, y: fieldBottom, width: area.width, pitch, size, columns }, setting),
      rules: Array.from({ length: ruleCount }, (_, index) => ({
        x: area.x,
        y: fieldBottom + (index + 1) * pitch,
        length: screen.width - 2 * pad,
      })),
      panel: null,
      field: phone ? { x: screen.x, y: screen.y, width: screen.width, height: fieldBottom - screen.y } : null,
      button: label === null ? null : { ...label, y: rowsBottom + gap * (frame.shape === 'wide' ? 0.8 : 1) },
    };
  }
}

/** Returns the size of a headline outside the screen. */
function titleSizeFor(turned: boolean, { shape, story }: Frame): number {
  if (turned) return 176;
  return shape === 'wide' || !story ? 88 : 112;
}

const nothing: Content = { headline: null, subline: null, rows: [], rules: [], panel: null, field: null, button: null };

/** Sets the headline outside the screen, and the subline if the device is `beneath` them. */
function setOutsideTitle(props: MockupProps, turned: boolean, beneath: boolean, { frame, theme, language }: LayoutSetting) {
  const { safe } = frame;
  const wide = frame.shape === 'wide';
  const width = turned ? 1130 - safe.x - 90 : safe.width;
  const titleCharacters = wide ? 40 : 22;
  const headline = setText({
    text: cased(theme, props.headline, language),
    face: theme.display,
    size: titleSizeFor(turned, frame),
    minSize: 56,
    width,
    height: turned ? safe.height * 0.7 : safe.height * 0.3,
    maxCharacters: turned ? 12 : titleCharacters,
  });
  const subline = setOptional(beneath ? props.subline : null, {
    face: theme.text,
    size: 44,
    width,
    height: 120,
    maxCharacters: wide ? 60 : 40,
  });
  return { headline, subline };
}

/** Returns the part of the screen that holds the content, within the safe area of the frame. */
function contentArea({ kind, screen }: Device, turned: boolean, { safe }: Frame): Rect {
  const phonePad = turned ? 46 : 56;
  const pad = kind === 'phone' ? phonePad : Math.max(54, safe.x - screen.x);
  const right = Math.min(screen.x + screen.width, safe.x + safe.width + (kind === 'laptop' ? 40 : 0));
  const bottom = Math.min(screen.y + screen.height - 30, safe.y + safe.height);
  return {
    x: screen.x + pad,
    y: screen.y,
    width: right - screen.x - pad * (kind === 'browser' ? 1 : 2),
    height: bottom - screen.y,
  };
}

function layOut(props: MockupProps, setting: LayoutSetting): Layout {
  const { frame, theme } = setting;
  const { safe } = frame;
  const wide = frame.shape === 'wide';
  const kind = props.frame;
  const filled = props.rows.length > 0 || props.button !== null;
  const turned = kind === 'phone' && wide && (filled || props.subline !== null || props.screenshot !== null);
  const stepsOut = turned || props.screenshot !== null || (kind === 'laptop' && !wide && filled);
  const beneath = stepsOut && !turned;
  const { headline, subline } = setOutsideTitle(props, turned, beneath, setting);
  const titleHeight = headline.height + (subline === null ? 0 : subline.height + 20);
  const below = beneath ? safe.y + titleHeight + 52 : 0;
  const device = placeDevice(kind, bodyFor(kind, frame, below, turned), props.url !== null || kind === 'browser', theme.radius);
  const area = contentArea(device, turned, frame);
  const titleY = turned ? safe.y + (safe.height - headline.height) * 0.46 : safe.y;
  const inside = stepsOut ? { ...props, headline: '', subline: beneath ? null : props.subline } : props;
  const arranged = wide && kind !== 'phone' ? beside : stacked;
  return {
    device,
    content: props.screenshot === null ? arranged(inside, device, area, setting) : nothing,
    outside: stepsOut
      ? {
          headline: { set: headline, x: safe.x, y: titleY },
          subline: placed(subline, safe.x + 4, titleY + headline.height + 20),
        }
      : null,
    barX: Math.max(safe.x, (device.bar?.x ?? 0) + 36),
    turned,
  };
}

/**
 * An interface, typeset for film, on a device that extends beyond the bottom of the frame. Its button is pressed at the end.
 */
export function MockupFormat(props: MockupProps) {
  const { frame, colors, motion, rightToLeft } = useScene();
  const layout = useLayout(layOut, props);
  const { device, content, outside, turned } = layout;
  const { body, bar } = device;
  const leave = motion.leave();
  const arrived = motion.spring(0, 0.8);
  const closing = content.button !== null && !turned;
  const sunk = closing ? 0 : leave;
  const side = rightToLeft ? -1 : 1;
  const turn = 1 - motion.enter(0, 0.9) - 0.06 * (motion.drift(2) / motion.duration);
  const press = motion.when(Math.max(1.6, motion.duration * 0.5));
  const centre = frame.left(body.x, body.width) + body.width / 2;
  return (
    <>
      {outside === null ? null : <Title outside={outside} leave={leave} />}
      <div
        className="box"
        style={{
          inset: 0,
          opacity: motion.enter(0, 0.2) * (1 - sunk),
          perspective: turned ? 2200 : undefined,
          perspectiveOrigin: turned ? `${centre - side * 300}px 50%` : undefined,
          transform: `translateY(${(1 - arrived) * 270 + sunk * 108}px)`,
        }}
      >
        <div
          className="box"
          style={{
            inset: 0,
            transformOrigin: `${centre}px 500px`,
            transform: turned
              ? `rotateY(${side * (-17 - 18 * turn)}deg) rotateX(5deg) rotateZ(${side * (3.2 + 4 * turn)}deg)`
              : undefined,
          }}
        >
          <DeviceBody device={device} />
          {bar === null ? null : <AddressBar bar={bar} url={props.url} x={layout.barX} />}
          {props.screenshot === null ? (
            <Screen content={content} device={device} press={press} />
          ) : (
            <Screenshot src={props.screenshot} device={device} />
          )}
          <Island device={device} />
          {content.button === null ? null : <Touch button={content.button} press={press} touch={device.kind === 'phone'} />}
        </div>
      </div>
      {closing && content.button !== null && leave > 0 ? (
        <Wipe button={content.button} color={colors.accent} progress={leave} />
      ) : null}
    </>
  );
}

function Title({ outside, leave }: { readonly outside: NonNullable<Layout['outside']>; readonly leave: number }) {
  const { colors, motion } = useScene();
  const { headline, subline } = outside;
  return (
    <>
      <Lines {...headline} color={colors.ink} progress={(line) => motion.enter(0.2 + line * 0.08)} leave={leave} />
      {subline === null ? null : (
        <Lines {...subline} color={colors.muted} entrance="fade" progress={() => motion.enter(0.5, 0.5)} leave={leave} />
      )}
    </>
  );
}

interface ScreenProps {
  readonly content: Content;
  readonly device: Device;
  readonly press: number;
}

function Screen({ content, device, press }: ScreenProps) {
  const { colors, motion } = useScene();
  const { headline, subline, rows, rules, panel, field, button } = content;
  const paint = screenColors(colors);
  const step = motion.stagger(rows.length + 2) * 1.2;
  const shown = (order: number) => motion.enter(0.7 + order * step, 0.45);
  const corner = Math.max(0, device.radius - (device.screen.x - device.body.x));
  return (
    <>
      {panel === null ? null : (
        <Box {...panel} style={{ background: paint.panel, borderInlineStart: `2px solid ${paint.line}` }} />
      )}
      {field === null ? null : (
        <Box {...field} style={{ background: colors.accentFill, borderRadius: `${corner}px ${corner}px 0 0` }} />
      )}
      {headline === null ? null : (
        <Lines
          {...headline}
          color={field === null ? colors.ink : colors.onAccent}
          entrance="fade"
          progress={(line) => shown(line * 0.5)}
        />
      )}
      {subline === null ? null : (
        <Lines {...subline} color={field === null ? paint.muted : colors.onAccent} entrance="fade" progress={() => shown(1)} />
      )}
      {rules.map((rule, index) => (
        <Box
          key={rule.y}
          x={rule.x}
          y={rule.y - 1}
          width={rule.length * shown(index + 2)}
          height={2}
          style={{ background: paint.line }}
        />
      ))}
      {rows.map(({ text, icon, iconBox }, index) => (
        <div key={text.y} className="box" style={{ inset: 0 }}>
          {icon === null ? null : (
            <Box {...iconBox} opacity={shown(index + 2)} transform={`scale(${motion.spring(0.75 + (index + 2) * step, 0.5)})`}>
              <Icon name={icon} size={iconBox.width} color={colors.accent} stroke={1.9} />
            </Box>
          )}
          <Lines {...text} color={colors.ink} entrance="fade" progress={() => shown(index + 2)} />
        </div>
      ))}
      {button === null ? null : <Button button={button} shown={shown(rows.length + 2)} press={press} />}
    </>
  );
}

type ButtonBox = NonNullable<Content['button']>;

function pressedAt(motion: Motion, press: number): number {
  return Math.sin(Math.PI * motion.draw(press, 0.3));
}

function Button({ button, shown, press }: { readonly button: ButtonBox; readonly shown: number; readonly press: number }) {
  const { theme, colors, motion, style } = useScene();
  const { x, y, width, height, label } = button;
  const ring = motion.enter(press + 0.1, 0.5);
  const radius = Math.min(height / 2, theme.radius * 0.8);
  const depth = style === 'playful' ? 0.1 : 0.045;
  const full = width > label.width + 200;
  return (
    <Box
      x={x}
      y={y + (1 - shown) * 30}
      width={width}
      height={height}
      opacity={shown}
      transform={`scale(${1 - depth * pressedAt(motion, press)})`}
      style={{ background: colors.accentFill, borderRadius: radius }}
    >
      {ring > 0 ? (
        <div
          className="box"
          style={{
            inset: -18 * ring,
            border: `5px solid ${colors.accent}`,
            borderRadius: radius === 0 ? 0 : radius + 18 * ring,
            opacity: 1 - 0.66 * ring,
          }}
        />
      ) : null}
      <Inset width={width} height={height}>
        <Lines
          set={label}
          x={full ? 56 : 52}
          y={(height - label.height) / 2}
          color={colors.onAccent}
          entrance="none"
          progress={() => 1}
        />
      </Inset>
    </Box>
  );
}

function Touch({ button, press, touch }: { readonly button: ButtonBox; readonly press: number; readonly touch: boolean }) {
  const { motion } = useScene();
  const { x, y, width, height, label } = button;
  const after = x + 52 + label.width;
  return (
    <Pointer
      touch={touch}
      x={touch ? Math.max(after + 96, x + width - 120) : Math.min(after + 60, x + width - 40)}
      y={touch ? y + height / 2 : y + height * 0.66}
      progress={motion.draw(press - 0.8, 0.75)}
      pressed={pressedAt(motion, press)}
    />
  );
}

/** Fills the frame with the button's colour as a transition to the next scene. */
function Wipe({ button, color, progress }: { readonly button: ButtonBox; readonly color: string; readonly progress: number }) {
  const { frame } = useScene();
  const [x, y] = [frame.left(button.x, button.width) + button.width / 2, button.y + button.height / 2];
  const radius = Math.hypot(frame.width, frame.height) * progress;
  return (
    <div
      className="box"
      style={{ left: x - radius, top: y - radius, width: 2 * radius, height: 2 * radius, borderRadius: '50%', background: color }}
    />
  );
}

/** Draws an uploaded screenshot, which pans down while the device scrolls. */
function Screenshot({ src, device }: { readonly src: string; readonly device: Device }) {
  const { motion } = useScene();
  const { screen, body, radius } = device;
  const height = Math.min(screen.height, body.y + body.height - screen.y);
  const panned = motion.draw(1.2, Math.max(1, motion.duration - 2)) * 40;
  const corner = Math.max(0, radius - (screen.x - body.x));
  const top = device.bar === null ? corner : 0;
  return (
    <Box {...screen} height={height} style={{ overflow: 'hidden', borderRadius: `${top}px ${top}px ${corner}px ${corner}px` }}>
      <Picture src={src} style={{ width: screen.width, height, objectFit: 'cover', objectPosition: `50% ${panned}%` }} />
    </Box>
  );
}
