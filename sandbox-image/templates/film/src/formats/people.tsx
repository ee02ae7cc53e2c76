import { faceStyle, Lines } from '../drawing/lines.tsx';
import { Box, type LayoutSetting, useLayout, useScene } from '../drawing/setting.tsx';
import { capitalBounds, cased, measure, setText, type TextRequest, type TextSet } from '../drawing/text.ts';
import { isJoinedScript } from '../kit/text/layout.ts';
import type { Rect } from '../themes/theme.ts';

interface PeopleProps {
  readonly title: string | null;
  readonly people: readonly { readonly name: string; readonly role: string | null }[];
}

const mostIntroduced = 6;

/** Shows names on ruled lines, introduced one after another, or rolling credits for more than six. */
export function PeopleFormat(props: PeopleProps) {
  return props.people.length > mostIntroduced ? <Credits {...props} /> : <Entries {...props} />;
}

/** Sets texts on one line each, at the largest size at which all of them fit. */
function setLines(requests: readonly TextRequest[]): TextSet[] {
  const sizes = requests.map(({ text, face, size, width }) =>
    Math.min(size, (width * 0.985) / Math.max(0.01, measure(face, text))),
  );
  const size = Math.min(...sizes);
  return requests.map((request) => setText({ ...request, size, minSize: size, width: 1e5, height: 1e4, maxCharacters: 1000 }));
}

interface Entry {
  readonly name: TextSet;
  /** The same name in the face that is used while the person is introduced. */
  readonly stressed: TextSet;
  readonly nameY: number;
  readonly ruleY: number;
  readonly role: TextSet | null;
  readonly roleX: number;
  readonly roleY: number;
}

interface EntriesLayout {
  readonly title: TextSet | null;
  readonly titleY: number;
  readonly entries: readonly Entry[];
}

/** All names have the same size and are aligned on their rules. Descenders cross the rules. */
function layOut({ title, people }: PeopleProps, setting: LayoutSetting): EntriesLayout {
  const { frame, theme, language } = setting;
  const { safe } = frame;
  const wide = frame.shape === 'wide';
  const heading =
    title === null
      ? null
      : setText({ text: title, face: theme.strong, size: 48, width: safe.width, height: 120, maxCharacters: 48 });
  const head = heading === null ? 0 : heading.height + 28;
  const below = (!wide || people.length === 1) && people.some(({ role }) => role !== null);
  const roleSpace = below ? 96 : 0;
  const pitch = Math.min((safe.height - head) / people.length, people.length === 1 ? 520 : 320);
  const nameWidth = safe.width * (!below && people.some(({ role }) => role !== null) ? 0.64 : 1);
  const largest = wide ? 190 : 150;
  const wanted = Math.min(people.length === 1 ? 300 : largest, (pitch - roleSpace) * 0.86);
  const request = ({ name }: PeopleProps['people'][number]) => ({
    text: cased(theme, name, language),
    size: wanted,
    width: nameWidth,
    height: wanted * (isJoinedScript(name) ? 1.5 : 1.25),
    lineHeight: isJoinedScript(name) ? 1.35 : 1.06,
    maxCharacters: 40,
  });
  const names = setLines(
    people.flatMap((person) => [
      { ...request(person), face: theme.display },
      { ...request(person), face: theme.emphasis },
    ]),
  );
  const roles = setLines(
    people.map(({ role }) => ({
      text: role ?? '',
      face: theme.text,
      size: wide ? 50 : 46,
      width: below ? safe.width : safe.width * 0.33,
      height: below ? 64 : pitch * 0.7,
      maxCharacters: 30,
    })),
  );
  const top = safe.y + Math.max(0, safe.height - head - pitch * people.length) * 0.4;
  const entries = people.map(({ role }, index): Entry => {
    const name = names[index * 2] as TextSet;
    const roleSet = role === null ? null : (roles[index] as TextSet);
    const end = top + head + (index + 1) * pitch;
    const ruleY = end - (below ? roleSpace : pitch * 0.16);
    const baseline = capitalBounds(name.face).bottom * name.size + (name.lineStep - name.size) / 2;
    return {
      name,
      stressed: names[index * 2 + 1] as TextSet,
      nameY: ruleY - baseline,
      ruleY,
      role: roleSet,
      roleX: below ? safe.x : safe.x + safe.width * 0.67,
      roleY: below ? ruleY + 14 + name.size * 0.13 : ruleY - (roleSet?.height ?? 0) - 14,
    };
  });
  return { title: heading, titleY: top, entries };
}

function Entries(props: PeopleProps) {
  const { frame, theme, colors, motion } = useScene();
  const layout = useLayout(layOut, props);
  const count = layout.entries.length;
  const beat = Math.min(0.75, Math.max(0.3, (motion.duration - 2.4) / count));
  const arrival = (index: number) => 0.3 + index * beat;
  return (
    <>
      {layout.title === null ? null : (
        <Lines
          set={layout.title}
          x={frame.safe.x}
          y={layout.titleY}
          color={colors.muted}
          entrance="fade"
          progress={() => motion.enter(0, 0.45)}
          leave={motion.leave()}
        />
      )}
      {layout.entries.map((entry, index) => {
        const at = arrival(index);
        const isLast = index === count - 1;
        const passed = isLast ? 0 : motion.draw(arrival(index + 1), 0.4);
        const leave = motion.leave((index / count) * 0.1);
        const role = entry.role;
        return (
          <div key={entry.ruleY}>
            <theme.Rule
              x={frame.shape === 'wide' ? 0 : frame.safe.x}
              y={entry.ruleY}
              length={(frame.shape === 'wide' ? frame.width : frame.safe.width) * (1 - leave)}
              progress={motion.draw(0.1 + index * 0.06, 0.7)}
              tone="plain"
              seed={index}
            />
            <Name entry={entry} risen={motion.spring(at, 0.6)} passed={passed} leave={leave} isAlone={count === 1} />
            {role === null ? null : (
              <Lines
                set={role}
                x={entry.roleX}
                y={entry.roleY}
                color={passed < 0.5 && count > 1 ? colors.accent : colors.muted}
                entrance="fade"
                progress={(line) => motion.enter(at + 0.15 + line * 0.05, 0.4)}
                leave={leave}
              />
            )}
          </div>
        );
      })}
    </>
  );
}

/** Draws a name that rises from behind its rule. The person being introduced is emphasised until the next one follows. */
function Name({
  entry,
  risen,
  passed,
  leave,
  isAlone,
}: {
  readonly entry: Entry;
  readonly risen: number;
  readonly passed: number;
  readonly leave: number;
  readonly isAlone: boolean;
}) {
  const { frame, colors, rightToLeft } = useScene();
  const { safe } = frame;
  const { stressed, name, nameY } = entry;
  const pad = name.size * 0.3;
  const box: Rect = { x: safe.x - pad, y: nameY - pad, width: safe.width + 2 * pad, height: name.height + 2 * pad };
  const wiped = passed * 100;
  const layer = (from: number, until: number) =>
    rightToLeft ? `inset(0 ${from}% 0 ${100 - until}%)` : `inset(0 ${100 - until}% 0 ${from}%)`;
  // Descenders below the rule stay hidden until the name has risen.
  const hidden = risen >= 1 && leave === 0 ? 0 : pad * 0.9;
  return (
    <div
      className="box"
      style={{
        left: frame.left(box.x, box.width),
        top: box.y,
        width: box.width,
        height: box.height,
        clipPath: `inset(0 0 ${hidden}px 0)`,
      }}
    >
      {passed < 1 ? (
        <NameLayer set={stressed} pad={pad} color={colors.accent} shown={risen - leave} clip={layer(wiped, 100)} />
      ) : null}
      {passed > 0 && !isAlone ? (
        <NameLayer set={name} pad={pad} color={colors.ink} shown={risen - leave} clip={layer(0, wiped)} />
      ) : null}
    </div>
  );
}

function NameLayer({
  set,
  pad,
  color,
  shown,
  clip,
}: {
  readonly set: TextSet;
  readonly pad: number;
  readonly color: string;
  readonly shown: number;
  readonly clip: string;
}) {
  const { rightToLeft } = useScene();
  return (
    <div
      className="line"
      style={{
        ...faceStyle(set.face, set.size, set.tracking),
        inset: 0,
        padding: pad,
        lineHeight: `${set.lineStep}px`,
        textAlign: rightToLeft ? 'right' : 'left',
        color,
        clipPath: clip,
        opacity: shown <= 0 ? 0 : 1,
        transform: `translateY(${(1 - shown) * set.lineStep}px)`,
      }}
    >
      {set.lines[0]}
    </div>
  );
}

interface CreditsLayout {
  readonly title: TextSet | null;
  readonly rows: readonly { readonly name: TextSet; readonly role: TextSet | null }[];
  /** Position of the line of light between roles and names. */
  readonly axis: number;
  readonly pitch: number;
}

const axisGap = 62;
const restingScale = 0.62;

function layOutCredits({ title, people }: PeopleProps, { frame, theme }: LayoutSetting): CreditsLayout {
  const { safe, shape } = frame;
  const wide = shape === 'wide';
  const hasRoles = people.some(({ role }) => role !== null);
  const axis = wide ? safe.x + safe.width * (hasRoles ? 0.36 : 0.2) : safe.x + 8;
  const nameWidth = safe.x + safe.width - axis - axisGap;
  const names = setLines(
    people.map(({ name }) => ({
      text: name,
      face: theme.display,
      size: wide ? 96 : 84,
      width: nameWidth,
      height: 140,
      maxCharacters: 40,
      lineHeight: isJoinedScript(name) ? 1.35 : 1.1,
    })),
  );
  const roles = setLines(
    people.map(({ role }) => ({
      text: role ?? '',
      face: theme.text,
      size: 44,
      width: wide ? axis - axisGap - safe.x : nameWidth,
      height: 110,
      maxCharacters: 30,
    })),
  );
  const heading =
    title === null
      ? null
      : setText({ text: title, face: theme.strong, size: 46, width: safe.width, height: 110, maxCharacters: 48 });
  return {
    title: heading,
    rows: people.map(({ role }, index) => ({
      name: names[index] as TextSet,
      role: role === null || role === people[index - 1]?.role ? null : (roles[index] as TextSet),
    })),
    axis,
    pitch: wide || !hasRoles ? 104 : 150,
  };
}

/** Shows credits that roll past a point of light. Each name is largest as it passes. */
function Credits(props: PeopleProps) {
  const { frame, colors, motion, theme } = useScene();
  const { title, rows, axis, pitch } = useLayout(layOutCredits, props);
  const { safe } = frame;
  const wide = frame.shape === 'wide';
  const leave = motion.leave();
  const headHeight = title === null ? 0 : title.height + 36;
  const area = { y: safe.y + headHeight, height: safe.height - headHeight };
  const light = area.y + area.height / 2;
  const focus = motion.linear(0.5, motion.duration - 1.6) * (rows.length - 1);
  const entered = motion.enter(0.1, 0.7);
  return (
    <>
      {title === null ? null : (
        <Lines
          set={title}
          x={safe.x}
          y={safe.y}
          color={colors.muted}
          entrance="fade"
          progress={() => motion.enter(0, 0.5)}
          leave={leave}
        />
      )}
      <theme.Rule
        x={axis}
        y={area.y + (area.height / 2) * leave}
        length={area.height * (1 - leave)}
        vertical
        progress={motion.draw(0, 0.8)}
        tone="plain"
      />
      <Box
        x={axis + theme.stroke / 2 - 11}
        y={light - 11}
        width={22}
        height={22}
        transform={`scale(${motion.spring(0.3, 0.5) * (1 - leave)})`}
        style={{ borderRadius: theme.radius === 0 ? 0 : '50%', background: colors.helper }}
      />
      {rows.map(({ name, role }, index) => {
        const distance = index - focus;
        const near = Math.exp(-(distance ** 2) / 0.55);
        const y = light + distance * pitch + Math.tanh(distance) * pitch * 0.18;
        const edge = Math.min(y - area.y, area.y + area.height - y);
        const opacity = Math.min(1, Math.max(0, (edge - 30) / 40)) * entered * (1 - leave);
        if (opacity <= 0) return null;
        const resting = Math.max(restingScale, 34 / name.size);
        const scale = resting + (1 - resting) * near;
        const nameX = axis + axisGap;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows are places in the roll.
          <div key={index} className="box" style={{ inset: 0, opacity }}>
            <RollText set={name} x={nameX} y={y} scale={scale} color={near > 0.5 ? colors.ink : colors.muted} align="start" />
            {role === null ? null : (
              <RollText
                set={role}
                x={wide ? axis - axisGap - role.width : nameX}
                y={wide ? y : y + (name.lineStep * scale) / 2 + role.lineStep / 2 - 6}
                scale={1}
                color={near > 0.5 ? colors.helper : colors.muted}
                align={wide ? 'end' : 'start'}
              />
            )}
          </div>
        );
      })}
    </>
  );
}

/** Draws a line that is centred vertically at a height and scaled from its inner end. */
function RollText({
  set,
  x,
  y,
  scale,
  color,
  align,
}: {
  readonly set: TextSet;
  readonly x: number;
  readonly y: number;
  readonly scale: number;
  readonly color: string;
  readonly align: 'start' | 'end';
}) {
  const { frame, rightToLeft } = useScene();
  const isLeft = (align === 'start') !== rightToLeft;
  return (
    <div
      className="line"
      style={{
        ...faceStyle(set.face, set.size, set.tracking),
        left: frame.left(x, set.width),
        top: y - set.lineStep / 2,
        width: set.width,
        lineHeight: `${set.lineStep}px`,
        textAlign: isLeft ? 'left' : 'right',
        color,
        transform: scale === 1 ? undefined : `scale(${scale})`,
        transformOrigin: `${isLeft ? 0 : 100}% 50%`,
      }}
    >
      {set.lines[0]}
    </div>
  );
}
