import { Box, useLayout, useScene } from './format-scene.tsx';
import { Icon } from './icon.tsx';
import { Lines } from './lines.tsx';
import { layOutRows } from './rows.ts';

interface ChecklistProps {
  readonly title: string | null;
  readonly items: readonly { readonly text: string; readonly icon: string | null; readonly done: boolean }[];
}

/** Short items, each with a box that is ticked as soon as the item has been read. */
export function ChecklistFormat({ title, items }: ChecklistProps) {
  const { frame, theme, colors, motion } = useScene();
  const rows = useLayout(layOutRows, {
    title,
    items: items.map(({ text }) => ({ text, detail: null, value: null })),
    lead: 1.25,
  });
  const leave = motion.leave();
  const first = title === null ? 0.2 : 0.5;
  // Ticks are spread over the time that is left for reading.
  const beat = Math.max(0.35, (motion.duration - first - 2.4) / items.length);
  return (
    <>
      {rows.title === null ? null : (
        <Lines
          set={rows.title}
          x={frame.safe.x}
          y={rows.titleY}
          color={colors.ink}
          progress={(line) => motion.enter(line * 0.08)}
          leave={leave}
        />
      )}
      {rows.items.map((row, index) => {
        const item = items[index];
        const at = first + index * motion.stagger(items.length) * 1.6;
        const entered = motion.enter(at, 0.5);
        const checked = item?.done ? motion.draw(first + 0.7 + index * beat, 0.4) : 0;
        const plated = theme.plate.drawn && item?.done !== false;
        const ink = plated ? theme.plate.ink(colors, 'accent') : colors.ink;
        return (
          <div key={row.y} className="box" style={{ inset: 0, opacity: 1 - leave }}>
            {plated ? <theme.Plate {...row.plate} index={index} progress={motion.spring(at, 0.5)} tone="accent" /> : null}
            <theme.Tick
              x={row.lead.x}
              y={row.lead.y}
              size={row.lead.size}
              progress={motion.spring(at, 0.45)}
              checked={checked}
              seed={index}
            />
            <Lines
              set={row.text}
              x={row.textX}
              y={row.textY}
              color={checked > 0.9 && !plated ? colors.muted : ink}
              entrance="fade"
              progress={() => entered}
            />
            {item?.icon ? (
              <Box x={row.iconX} y={row.lead.y} width={row.lead.size} height={row.lead.size} opacity={entered}>
                <Icon name={item.icon} size={row.lead.size} color={colors.accent} />
              </Box>
            ) : null}
          </div>
        );
      })}
    </>
  );
}
