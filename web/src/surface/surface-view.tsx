import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react';
import { Tabs } from 'radix-ui';
import { type CSSProperties, createContext, type ReactNode, useContext, useMemo } from 'react';
import { type Drawn, drawingOf, problemIn, resolved, tableRows, textIn } from '#contract/surface/drawing.ts';
import type { ComponentOf, Surface } from '#contract/surface/surface.ts';
import { Button, cx } from '../ui/elements.tsx';
import { type PressedAction, type SurfaceContext, SurfaceContextHolder, useScope, useSurfaceContext } from './surface-context.ts';
import { isInput, SurfaceInput } from './surface-inputs.tsx';

interface SurfaceViewProps {
  surface: Surface;
  busy?: boolean;
  onData: SurfaceContext['onData'];
  onAction: (action: PressedAction) => void;
}

/** Renders a surface with the studio's own components. Its texts are never interpreted as markup. */
export function SurfaceView({ surface, busy = false, onData, onAction }: SurfaceViewProps) {
  const { data } = surface;
  const root = useMemo(() => drawingOf(surface), [surface]);
  return (
    <SurfaceContextHolder value={{ data, busy, onData, onAction }}>{root !== null && <Part of={root} />}</SurfaceContextHolder>
  );
}

type PartProps<Name extends Drawn['component']['component']> = { of: ComponentOf<Name>; drawn: Drawn };

/** Nested controls inside a button are disabled. */
const InButton = createContext(false);

function Part({ of: drawn }: { of: Drawn }) {
  const { component, row } = drawn;
  const inButton = useContext(InButton);
  if (isInput(component)) return inButton ? null : <SurfaceInput of={component} row={row} />;
  switch (component.component) {
    case 'Text':
      return <SurfaceText of={component} drawn={drawn} />;
    case 'Row':
      return (
        <Box
          drawn={drawn}
          className={cx(
            'flex min-w-0 flex-wrap gap-3',
            justifications[component.justify ?? 'start'],
            aligning(component.align ?? 'center'),
          )}
        />
      );
    case 'Column':
      return (
        <Box drawn={drawn} className={cx('flex min-w-0 flex-col', inButton ? 'gap-0.5' : 'gap-3', aligning(component.align))} />
      );
    case 'List':
      return (
        <Box
          drawn={drawn}
          className={cx('flex min-w-0 gap-2', component.direction === 'horizontal' ? 'flex-wrap' : 'flex-col')}
        />
      );
    case 'Card':
      return <Box drawn={drawn} className="block min-w-0 rounded-xl border border-line bg-panel p-3.5" />;
    case 'Tabs':
      return inButton ? null : <TabbedParts of={component} drawn={drawn} />;
    case 'Divider':
      return component.axis === 'vertical' ? (
        <span className="w-px self-stretch bg-line" />
      ) : (
        <hr className="w-full border-line" />
      );
    case 'Button':
      return inButton ? null : <ActionButton of={component} drawn={drawn} />;
    case 'Alert':
      return <AlertPart of={component} drawn={drawn} />;
    case 'Table':
      return inButton ? null : <TablePart of={component} drawn={drawn} />;
  }
}

const justifications: Readonly<Record<string, string>> = {
  center: 'justify-center',
  end: 'justify-end',
  spaceAround: 'justify-around',
  spaceBetween: 'justify-between',
  spaceEvenly: 'justify-evenly',
};
const alignments: Readonly<Record<string, string>> = {
  start: 'items-start',
  center: 'items-center',
  end: 'items-end',
  stretch: 'items-stretch',
};
const aligning = (value: string | undefined) => alignments[value ?? 'stretch'];

function Box({ drawn, className }: { drawn: Drawn; className: string }) {
  const inButton = useContext(InButton);
  const Tag = inButton ? 'span' : 'div';
  return (
    <Tag className={className}>
      {drawn.children.map((child) => (
        <Weighted key={child.key} of={child} />
      ))}
      {drawn.leftOut > 0 && <LeftOut count={drawn.leftOut} />}
    </Tag>
  );
}

function Weighted({ of }: { of: Drawn }) {
  const { weight } = of.component;
  if (weight === undefined) return <Part of={of} />;
  const style: CSSProperties = { flexGrow: Math.max(0, weight), flexBasis: 0, minWidth: 'min(100%, 7rem)' };
  return (
    <div style={style}>
      <Part of={of} />
    </div>
  );
}

function LeftOut({ count }: { count: number }) {
  return <p className="text-ink-3 text-xs">{count.toLocaleString('en')} more are not shown.</p>;
}

const headings = { h1: 'text-lg', h2: 'text-base', h3: 'text-[15px]', h4: 'text-sm', h5: 'text-[13px]' } as const;
/** The page already has its own headings above. */
const headingTags = { h1: 'h3', h2: 'h3', h3: 'h4', h4: 'h5', h5: 'h5' } as const;

function SurfaceText({ of: { text, variant = 'body' }, drawn: { row } }: PartProps<'Text'>) {
  const words = textIn(text, useScope(row));
  const inButton = useContext(InButton);
  if (variant === 'caption') {
    const look = 'whitespace-pre-wrap wrap-anywhere text-[13px] text-ink-2 leading-5';
    return inButton ? <span className={cx(look, 'block font-normal')}>{words}</span> : <p className={look}>{words}</p>;
  }
  if (inButton) return <span className="wrap-anywhere">{words}</span>;
  if (variant === 'body') return <p className="whitespace-pre-wrap wrap-anywhere">{words}</p>;
  const Tag = headingTags[variant];
  return <Tag className={cx('wrap-anywhere font-medium', headings[variant])}>{words}</Tag>;
}

function TabbedParts({ of: { tabs }, drawn: { children, row } }: PartProps<'Tabs'>) {
  const scope = useScope(row);
  return (
    <Tabs.Root defaultValue={children[0]?.key ?? ''} className="min-w-0">
      <Tabs.List className="mb-3 flex flex-wrap gap-1 border-line border-b">
        {children.map((child, index) => (
          <Tabs.Trigger
            key={child.key}
            value={child.key}
            className="-mb-px border-transparent border-b-2 px-2.5 py-1.5 text-[13px] text-ink-2 data-[state=active]:border-accent data-[state=active]:font-medium data-[state=active]:text-ink"
          >
            {textIn(tabs[index]?.title, scope)}
          </Tabs.Trigger>
        ))}
      </Tabs.List>
      {children.map((child) => (
        <Tabs.Content key={child.key} value={child.key}>
          <Part of={child} />
        </Tabs.Content>
      ))}
    </Tabs.Root>
  );
}

const buttonVariants = { default: 'secondary', primary: 'primary', borderless: 'quiet' } as const;

function ActionButton({ of, drawn }: PartProps<'Button'>) {
  const { busy, onAction } = useSurfaceContext();
  const scope = useScope(drawn.row);
  const { name, context = {} } = of.action.event;
  const problem = problemIn(of.checks, scope);
  const label = textIn(of.accessibility?.label, scope);
  const press = () => {
    const told = Object.entries(context).map(([key, value]) => [key, resolved(value, scope) ?? null]);
    onAction({ name, sourceComponentId: of.id, context: Object.fromEntries(told) });
  };
  const content = (
    <InButton value={true}>
      {drawn.children.map((child) => (
        <Part key={child.key} of={child} />
      ))}
    </InButton>
  );
  const common = {
    disabled: busy || problem !== null,
    onClick: press,
    title: problem ?? undefined,
    ...(label === '' ? {} : { 'aria-label': label }),
  };
  // A button with more than text is shown as a card.
  if (drawn.children[0]?.component.component !== 'Text') {
    return (
      <button
        type="button"
        {...common}
        className="w-full rounded-xl border border-line-strong px-3.5 py-2.5 text-left font-medium transition-colors enabled:hover:border-accent enabled:hover:bg-accent-soft disabled:opacity-50"
      >
        {content}
      </button>
    );
  }
  return (
    <Button {...common} variant={buttonVariants[of.variant ?? 'default']} className="max-w-full w-fit">
      {content}
    </Button>
  );
}

const tones = {
  info: { Icon: Info, look: 'bg-sunken text-ink-2' },
  success: { Icon: CircleCheck, look: 'bg-accent-soft text-ink' },
  warning: { Icon: TriangleAlert, look: 'bg-warn-soft text-warn' },
  error: { Icon: CircleAlert, look: 'bg-bad-soft text-bad' },
} as const;

function AlertPart({ of: { text, tone = 'info' }, drawn: { row } }: PartProps<'Alert'>) {
  const { Icon, look } = tones[tone];
  const words = textIn(text, useScope(row));
  return (
    <Noted role={tone === 'error' ? 'alert' : 'status'} className={cx('flex items-start gap-2.5 rounded-lg px-3 py-2.5', look)}>
      <Icon aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      <span className="min-w-0 flex-1 whitespace-pre-wrap wrap-anywhere text-[13px] leading-5">{words}</span>
    </Noted>
  );
}

function Noted({ role, className, children }: { role: 'alert' | 'status'; className: string; children: ReactNode }) {
  return (
    <div role={role} className={className}>
      {children}
    </div>
  );
}

function TablePart({ of, drawn: { row } }: PartProps<'Table'>) {
  const scope = useScope(row);
  const caption = textIn(of.caption, scope);
  const { rows, leftOut } = tableRows(of, scope);
  const side = (index: number) => (of.columns[index]?.align === 'end' ? 'text-right tabular-nums' : 'text-left');
  return (
    <div className="min-w-0">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard. */}
      <section aria-label={caption} tabIndex={0} className="max-h-96 overflow-auto rounded-xl border border-line bg-panel">
        <table className="w-full border-collapse text-[13px]">
          <caption className="px-3 pt-2.5 pb-1 text-left font-medium">{caption}</caption>
          <thead className="sticky top-0 bg-panel">
            <tr>
              {of.columns.map((column, index) => (
                <th
                  key={column.path}
                  scope="col"
                  className={cx('border-line border-b px-3 py-1.5 font-medium text-ink-2', side(index))}
                >
                  {textIn(column.title, scope)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((cells, number) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows have no names.
              <tr key={number} className="border-line not-last:border-b">
                {cells.map((cell, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: columns do not move.
                  <td key={index} className={cx('wrap-break-word px-3 py-1.5 align-top', side(index))}>
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {leftOut > 0 && <LeftOut count={leftOut} />}
    </div>
  );
}
