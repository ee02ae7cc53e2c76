import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react';
import { Tabs } from 'radix-ui';
import { type CSSProperties, Fragment, type ReactNode, useCallback, useContext, useId, useMemo, useRef, useState } from 'react';
import { type Drawn, drawingOf, problemsOf, textIn } from '#contract/surface/drawing.ts';
import type { ComponentOf, Surface } from '#contract/surface/surface.ts';
import { cx } from '../ui/elements.tsx';
import { OwnLinks } from './own-links.tsx';
import { InButton, Problems, SurfaceButton } from './surface-button.tsx';
import {
  contains,
  type PressedAction,
  type SurfaceContext,
  SurfaceContextHolder,
  useScope,
  useSurfaceContext,
} from './surface-context.ts';
import { isInput, isRequired, SurfaceInput } from './surface-inputs.tsx';
import { SurfaceChart, SurfaceImage, SurfaceProgress } from './surface-pictures.tsx';
import { SurfaceTable } from './surface-table.tsx';
import { OwnVideo, videoAt } from './surface-video.tsx';

interface SurfaceViewProps {
  surface: Surface;
  busy?: boolean;
  onData: SurfaceContext['onData'];
  onAction: (action: PressedAction) => void;
  /** Of the whole surface, if this is only its body or its footer. */
  form?: SurfaceForm;
  /** The list of problems stands above the footer. */
  isFooter?: boolean;
}

export interface SurfaceForm {
  readonly root: Drawn | null;
  readonly goal: SurfaceContext['goal'];
  readonly setGoal: (goal: SurfaceContext['goal']) => void;
  /** Key of the button that was pressed and found problems. */
  readonly pressed: string | null;
  readonly setPressed: (key: string | null) => void;
}

/** Holds what the parts of a surface share, so that a button in one checks the fields in the other. */
export function useSurfaceForm(surface: Surface): SurfaceForm {
  const root = useMemo(() => drawingOf(surface), [surface]);
  const [goal, setGoal] = useState<SurfaceContext['goal']>(null);
  const [pressed, setPressed] = useState<string | null>(null);
  return { root, goal, setGoal, pressed, setPressed };
}

/**
 * Renders a surface with the studio's own components. Its texts are never interpreted as markup, and nothing of it is drawn outside
 * its own box, so it cannot cover or imitate the studio around it.
 */
export function SurfaceView({ surface, busy = false, onData, onAction, form, isFooter = false }: SurfaceViewProps) {
  const { data, version, components } = surface;
  const own = useSurfaceForm(surface);
  const { root } = own;
  const { root: whole, goal, setGoal, pressed, setPressed } = form ?? own;
  const base = useId();
  const idOf = useCallback((key: string) => `${base}${encodeURIComponent(key)}`, [base]);
  const reached = useRef<SurfaceContext['goal']>(null);
  if (root === null || whole === null) return null;
  const problems = pressed === null ? [] : problemsOf(whole, data);
  const all = [...components.values()];
  const isStacked = root.component.component === 'Column' && pressed !== null;
  const footer = isStacked ? root.children.find((part) => contains(part, pressed)) : undefined;
  const context: SurfaceContext = {
    ...{ data, busy, goal, idOf, onData },
    checked: pressed !== null,
    reach() {
      if (goal === null || reached.current === goal) return;
      reached.current = goal;
      focusIn(document.getElementById(idOf(goal.key)));
    },
    problemList: <Problems problems={problems} onGo={({ key }) => setGoal({ key })} />,
    listBefore: footer?.key ?? null,
    hasRequired: all.some((one) => isInput(one) && isRequired(one)),
    mayPress({ key, component }) {
      const isOnly = all.filter((one) => one.component === 'Button').length === 1;
      const sends = component.component === 'Button' && (component.variant === 'primary' || isOnly);
      const [first] = sends ? problemsOf(whole, data) : [];
      setPressed(first === undefined ? null : key);
      if (first !== undefined) setGoal({ key: first.key });
      return first === undefined;
    },
    onAction: (action) => onAction({ ...action, version }),
  };
  return (
    <SurfaceContextHolder value={context}>
      <div data-surface={surface.surfaceId} className="surface-frame">
        <Part of={root} />
        {footer === undefined && !isFooter && context.problemList}
      </div>
    </SurfaceContextHolder>
  );
}

function focusIn(element: HTMLElement | null): void {
  const field = 'input:not([disabled]), select, textarea, button';
  const target = element?.matches(field) ? element : element?.querySelector<HTMLElement>(field);
  target?.focus();
  target?.scrollIntoView({ block: 'nearest' });
}

type PartProps<Name extends Drawn['component']['component']> = { of: ComponentOf<Name>; drawn: Drawn };

/** Components that a button may contain. */
const inButtons: ReadonlySet<string> = new Set(['Text', 'Row', 'Column', 'List', 'Card', 'Divider', 'Alert', 'Image']);

function Part({ of: drawn }: { of: Drawn }) {
  const { component, row } = drawn;
  const inButton = useContext(InButton);
  if (inButton && !inButtons.has(component.component)) return null;
  if (isInput(component)) return <SurfaceInput of={component} row={row} at={drawn.key} />;
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
      return <TabbedParts of={component} drawn={drawn} />;
    case 'Divider':
      return component.axis === 'vertical' ? (
        <span className="w-px self-stretch bg-line" />
      ) : (
        <hr className="w-full border-line" />
      );
    case 'Button':
      return (
        <SurfaceButton of={component} drawn={drawn}>
          {drawn.children.map((child) => (
            <Part key={child.key} of={child} />
          ))}
        </SurfaceButton>
      );
    case 'Image':
      return <SurfaceImage of={component} row={row} />;
    case 'Chart':
      return <SurfaceChart of={component} row={row} />;
    case 'Progress':
      return <SurfaceProgress of={component} row={row} />;
    case 'Alert':
      return <AlertPart of={component} drawn={drawn} />;
    case 'Table':
      return <SurfaceTable of={component} row={row} />;
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
  const { problemList, listBefore } = useSurfaceContext();
  const inButton = useContext(InButton);
  const Tag = inButton ? 'span' : 'div';
  return (
    <Tag className={className}>
      {drawn.children.map((child) => (
        <Fragment key={child.key}>
          {listBefore === child.key && problemList}
          <Weighted of={child} />
        </Fragment>
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

const headings = { h1: 'text-xl leading-7', h2: 'text-base', h3: 'text-sm', h4: 'text-sm', h5: 'text-[13px]' } as const;
/** The page already has its own headings above. */
const headingTags = { h1: 'h3', h2: 'h3', h3: 'h4', h4: 'h5', h5: 'h5' } as const;

function SurfaceText({ of: { text, variant = 'body' }, drawn: { row } }: PartProps<'Text'>) {
  const words = textIn(text, useScope(row));
  const inButton = useContext(InButton);
  const video = inButton ? null : videoAt(words);
  if (video !== null) return <OwnVideo key={words} video={video} name="" />;
  if (variant === 'caption') {
    const look = 'whitespace-pre-wrap wrap-anywhere text-ink-2';
    return inButton ? (
      <span className={cx(look, 'block font-normal text-[13px] leading-5')}>{words}</span>
    ) : (
      <p className={cx(look, 'text-xs leading-4')}>{words}</p>
    );
  }
  if (inButton) return <span className="wrap-anywhere">{words}</span>;
  if (variant === 'body')
    return (
      <p className="whitespace-pre-wrap wrap-anywhere">
        <OwnLinks text={words} />
      </p>
    );
  const Tag = headingTags[variant];
  return <Tag className={cx('wrap-anywhere font-semibold', headings[variant])}>{words}</Tag>;
}

function TabbedParts({ of: { tabs }, drawn: { children, row } }: PartProps<'Tabs'>) {
  const scope = useScope(row);
  const { goal } = useSurfaceContext();
  const [shown, setShown] = useState({ key: children[0]?.key ?? '', goal });
  // A field on another tab takes the focus: its tab has to be drawn first.
  if (shown.goal !== goal) {
    const tab = goal === null ? undefined : children.find((child) => contains(child, goal.key));
    setShown({ key: tab?.key ?? shown.key, goal });
  }
  return (
    <Tabs.Root value={shown.key} onValueChange={(key) => setShown({ key, goal })} className="min-w-0">
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

const tones = {
  info: { Icon: Info, look: 'bg-sunken', color: 'text-ink-2' },
  success: { Icon: CircleCheck, look: 'bg-ok-soft', color: 'text-ok' },
  warning: { Icon: TriangleAlert, look: 'bg-warn-soft', color: 'text-warn' },
  error: { Icon: CircleAlert, look: 'bg-bad-soft', color: 'text-bad' },
} as const;

function AlertPart({ of: { title, text, tone = 'info' }, drawn: { row } }: PartProps<'Alert'>) {
  const { Icon, look, color } = tones[tone];
  const scope = useScope(row);
  const head = textIn(title, scope);
  return (
    <Noted role={tone === 'error' ? 'alert' : 'status'} className={cx('flex items-start gap-2.5 rounded-lg px-3 py-2.5', look)}>
      <Icon aria-hidden="true" className={cx('mt-0.5 size-4 shrink-0', color)} />
      <span className="min-w-0 flex-1 whitespace-pre-wrap wrap-anywhere text-[13px] leading-5">
        {head !== '' && <b className="block font-medium">{head}</b>}
        <OwnLinks text={textIn(text, scope)} />
      </span>
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
