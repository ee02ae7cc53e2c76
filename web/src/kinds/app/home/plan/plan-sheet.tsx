import { ArrowLeft, Check, Ellipsis, Hammer, Plus, Trash2, Undo2 } from 'lucide-react';
import { Dialog } from 'radix-ui';
import { type KeyboardEvent, useMemo, useState } from 'react';
import { formatCount } from '#contract/display.ts';
import type { AppDocument, Field, List, ViewType } from '../../../../../../sandbox-image/templates/app/model/document.ts';
import { documentProblems } from '../../../../../../sandbox-image/templates/app/model/problems.ts';
import type { ColumnType } from '../../../../../../sandbox-image/templates/app/model/tables.ts';
import { Confirm } from '../../../../ui/dialog.tsx';
import { Button, cx, ErrorNotice, IconButton } from '../../../../ui/elements.tsx';
import { Menu, MenuItem } from '../../../../ui/menu.tsx';
import { toast } from '../../../../ui/toasts.tsx';
import { coloursOf, fieldTypes, views, viewTypes } from '../catalogue.ts';
import { ViewIcons } from '../gallery.tsx';
import { Schematic } from '../schematic.tsx';
import type { OpenTable } from '../table/use-table.ts';
import type { useBuild } from '../use-build.ts';
import { FieldRows, NameInput, OriginLabel } from './field-rows.tsx';
import { LookPanel } from './look-panel.tsx';
import {
  type AppPlan,
  addField,
  addList,
  type Edited,
  fieldKey,
  hasView,
  missingFor,
  removeList,
  renameApp,
  renameList,
  replaceField,
  toggleView,
  usedWords,
} from './plan.ts';
import { answered, questionsFor } from './questions.ts';
import { markedParts } from './words.ts';

interface PlanSheetProps {
  /** One plan, or finished ones to choose from. */
  readonly plans: readonly AppPlan[];
  /** What the words could mean beside the one plan. */
  readonly others: readonly AppPlan[];
  /** What the project is created from, and what the person has typed. */
  readonly words: string;
  readonly typed: string;
  /** The pasted table. `null` if there is none. */
  readonly table: OpenTable | null;
  readonly listName: string;
  readonly rows: number;
  readonly building: Omit<ReturnType<typeof useBuild>, 'build'>;
  readonly onBuild: (plan: AppPlan) => void;
  readonly onClose: () => void;
}

/** What is built, before anything is. It covers the page, and going back keeps the request. */
export function PlanSheet(props: PlanSheetProps) {
  const { plans, others, building, onClose } = props;
  const likely = [...plans, ...others];
  const [chosen, setChosen] = useState<AppPlan | null>(plans.length === 1 ? (plans[0] ?? null) : null);
  return (
    <Dialog.Root open onOpenChange={(open) => !open && !building.busy && onClose()}>
      <Dialog.Portal>
        <Dialog.Content
          aria-describedby={undefined}
          // Notices lie outside, and a stray key must not throw edits away.
          onInteractOutside={(event) => event.preventDefault()}
          onEscapeKeyDown={(event) => event.preventDefault()}
          className="fixed inset-0 z-40 flex animate-fade flex-col overflow-hidden bg-ground outline-none"
        >
          <header className="flex h-13 shrink-0 items-center gap-2 border-line border-b bg-panel px-3">
            <IconButton
              icon={ArrowLeft}
              label={chosen !== null && plans.length > 1 ? 'Back to the three plans' : 'Back to the request'}
              disabled={building.busy}
              onClick={() => (chosen !== null && plans.length > 1 ? setChosen(null) : onClose())}
            />
            <Dialog.Title className="truncate font-medium text-[15px]">
              {chosen === null ? 'Three ways to begin' : 'Plan of the app'}
            </Dialog.Title>
          </header>
          {chosen === null ? (
            <PlanChoice plans={plans} typed={props.typed} onChoose={setChosen} />
          ) : (
            <PlanEditor key={likely.indexOf(chosen)} {...props} first={chosen} likely={likely} onChoose={setChosen} />
          )}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

interface PlanChoiceProps {
  readonly plans: readonly AppPlan[];
  readonly typed: string;
  readonly onChoose: (plan: AppPlan) => void;
}

function PlanChoice({ plans, typed, onChoose }: PlanChoiceProps) {
  return (
    <div className="min-h-0 flex-1 overflow-y-auto px-4 py-8">
      <p className="mx-auto mb-6 max-w-160 text-center text-[15px] text-ink-2">
        {`No word of “${typed.length > 80 ? `${typed.slice(0, 80)}…` : typed}” names an app that I know. These three are finished. Take the nearest one and change it.`}
      </p>
      <ul className="mx-auto grid max-w-284 gap-4 md:grid-cols-3">
        {plans.map((plan) => {
          const { document } = plan;
          return (
            <li key={document.name} className="flex flex-col rounded-xl border border-line-strong bg-panel p-4">
              <Schematic
                view={document.pages[0]?.views[0]?.view ?? 'table'}
                colours={coloursOf(document)}
                className="aspect-2/1 w-full rounded-lg border border-line"
              />
              <h2 className="mt-3 flex items-center justify-between font-semibold text-base">
                {document.name}
                <ViewIcons types={viewsIn(document)} />
              </h2>
              <ul className="mt-2 mb-4 text-[13px] leading-6">
                {document.lists.flatMap((list) =>
                  list.fields.map((field) => {
                    const { icon: Icon, name } = fieldTypes[field.type];
                    return (
                      <li key={fieldKey(list.id, field.id)} className="flex items-center gap-2">
                        <Icon aria-hidden="true" className="size-3.5 text-ink-3" />
                        {field.name}
                        <span className="ml-auto text-ink-2">{name}</span>
                      </li>
                    );
                  }),
                )}
              </ul>
              <Button variant="primary" className="mt-auto" onClick={() => onChoose(plan)}>
                {`Take ${document.name}`}
              </Button>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

const viewsIn = ({ pages }: AppDocument): ViewType[] => [...new Set(pages.flatMap((page) => page.views.map(({ view }) => view)))];

const questionBox = 'rounded-xl border border-line-strong bg-panel p-3.5 pt-2.5';
const optionChip =
  'inline-flex min-h-7.5 items-center gap-1.5 rounded-full border border-line-strong px-3 py-1 text-left text-[13px] text-ink-2 leading-4.5 hover:border-ink-3 hover:text-ink aria-pressed:border-ink-3 aria-pressed:bg-bubble aria-pressed:font-medium aria-pressed:text-ink max-sm:min-h-11';

/** Steps that can be undone. */
const mostSteps = 200;

interface PlanEditorProps extends PlanSheetProps {
  readonly first: AppPlan;
  /** What the words could mean, with this plan. */
  readonly likely: readonly AppPlan[];
  readonly onChoose: (plan: AppPlan) => void;
}

function PlanEditor(props: PlanEditorProps) {
  const { first, likely, onChoose, others, words, typed, table, listName, rows, building, onBuild } = props;
  const [history, setHistory] = useState<{ readonly past: readonly AppPlan[]; readonly now: AppPlan }>({ past: [], now: first });
  const [focused, setFocused] = useState<string | null>(null);
  const [withSamples, setWithSamples] = useState(true);
  const questions = useMemo(() => questionsFor(first), [first]);
  const plan = history.now;
  const { document } = plan;
  const undo = () => setHistory(({ past, now }) => ({ past: past.slice(0, -1), now: past.at(-1) ?? now }));
  const apply = ({ plan: next, notes }: Edited) => {
    if (next !== plan) setHistory(({ past, now }) => ({ past: [...past, now].slice(-mostSteps), now: next }));
    if (notes.length > 0) toast(notes.join(' '), next === plan ? {} : { action: { label: 'Undo', run: undo } });
  };
  const removed = (edited: Edited, what: string) => {
    apply({ ...edited, notes: edited.plan === plan ? edited.notes : [`${what} was removed.`, ...edited.notes] });
  };
  const retype = (list: List, field: Field, type: ColumnType) => {
    const column = plan.table?.columns[field.id];
    if (table === null || plan.table === null || column === undefined) return;
    const types = { ...plan.table.types, [column]: type };
    table.list(listName, types).then(
      ({ list: typedList }) => {
        const found = typedList.fields.find(({ id }) => id === field.id);
        if (found === undefined) return;
        const source = { ...plan.table, types } as AppPlan['table'];
        apply(
          replaceField({ ...plan, table: source }, list.id, {
            ...found,
            name: field.name,
            ...(field.needed && { needed: true }),
          }),
        );
      },
      (error: Error) => toast(`The type was not changed: ${error.message}`),
    );
  };
  const problems = useMemo(() => documentProblems(document), [document]);
  const isReady = problems.length === 0 && !building.busy;
  const build = () => isReady && onBuild({ ...plan, start: withSamples ? plan.start : null });
  const onKeyDown = (event: KeyboardEvent) => {
    if (!(event.metaKey || event.ctrlKey)) return;
    if (event.key === 'Enter') {
      event.preventDefault();
      build();
    } else if (event.key.toLowerCase() === 'z' && !event.shiftKey && !(event.target instanceof HTMLInputElement)) {
      event.preventDefault();
      undo();
    }
  };
  const parts = markedParts(typed, usedWords(plan));
  const fieldCount = document.lists.reduce((sum, { fields }) => sum + fields.length, 0);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys of the whole sheet
    <div
      onKeyDown={onKeyDown}
      className="grid min-h-0 flex-1 overflow-y-auto lg:grid-cols-[300px_minmax(0,1fr)_376px] lg:overflow-hidden"
    >
      <section aria-label="The request" className="flex flex-col gap-3 border-line p-4 lg:overflow-y-auto lg:border-r">
        <p className="max-w-full self-end whitespace-pre-wrap wrap-anywhere rounded-2xl rounded-br-sm bg-bubble px-3.5 py-2.5 leading-6 max-lg:self-start">
          {typed === ''
            ? words
            : parts.map(({ text, start, isUsed }) =>
                isUsed ? (
                  <u key={start} className="decoration-2 decoration-accent underline-offset-4">
                    {text}
                  </u>
                ) : (
                  <span key={start}>{text}</span>
                ),
              )}
        </p>
        <p className="text-pretty leading-6">
          This is what I understood. {parts.some(({ isUsed }) => isUsed) && 'Underlined words became lists and fields. '}Change
          anything, nothing is built yet.
        </p>
        {others.length > 0 && (
          <fieldset className={questionBox}>
            <legend className="float-left mb-2 w-full font-medium">What is it most like?</legend>
            <div className="clear-both flex flex-wrap gap-1.5">
              {likely.map((one) => (
                <button
                  key={one.start ?? one.document.name}
                  type="button"
                  aria-pressed={one === first}
                  onClick={() => onChoose(one)}
                  className={optionChip}
                >
                  {one === first && <Check aria-hidden="true" className="size-3.5" />}
                  {one.start === null ? `A list of ${one.document.name.toLowerCase()}` : one.document.name}
                </button>
              ))}
            </div>
          </fieldset>
        )}
        {questions.map((question) => (
          <fieldset key={question.id} className={questionBox}>
            <legend className="float-left mb-2 w-full font-medium">{question.text}</legend>
            <div className="clear-both flex flex-wrap gap-1.5">
              {question.options.map(({ id, label }) => {
                const isChosen = plan.answers[question.id] === id;
                return (
                  <button
                    key={id}
                    type="button"
                    aria-pressed={isChosen}
                    onClick={() => apply(answered(plan, question, id))}
                    className={optionChip}
                  >
                    {isChosen && <Check aria-hidden="true" className="size-3.5" />}
                    {label}
                  </button>
                );
              })}
            </div>
          </fieldset>
        ))}
        {questions.length > 0 && (
          <p className="text-[13px] text-ink-2">{`${formatCount(questions.length, 'question')}, all optional.`}</p>
        )}
      </section>
      <section aria-label="What is built" className="min-w-0 p-4 lg:overflow-y-auto lg:px-6">
        <div className="mb-3 flex items-center gap-2">
          <NameInput
            label="Name of the app"
            name={document.name}
            onRename={(name) => apply(renameApp(plan, name))}
            className="-ml-1.5 h-9! min-w-0 flex-1 font-semibold text-[19px]! tracking-tight"
          />
          <Button variant="quiet" size="sm" icon={Undo2} disabled={history.past.length === 0} onClick={undo}>
            Undo
          </Button>
        </div>
        <div className="mb-2.5 flex items-baseline gap-2.5">
          <h2 className="font-semibold">What it keeps</h2>
          <span className="text-[13px] text-ink-2">{`${formatCount(document.lists.length, 'list')}, ${formatCount(fieldCount, 'field')}`}</span>
          <Button
            variant="quiet"
            size="sm"
            icon={Plus}
            className="ml-auto"
            onClick={() => {
              const added = addList(plan);
              apply(added);
              setFocused(added.list);
            }}
          >
            List
          </Button>
        </div>
        <div className="flex flex-col gap-3">
          {document.lists.map((list) => (
            <section key={list.id} aria-label={list.name} className="rounded-xl border border-line-strong bg-panel pt-1.5 pb-2">
              <header className="flex flex-wrap items-center gap-x-2 px-3.5 pb-1">
                <NameInput
                  label={`Name of the list ${list.name}`}
                  name={list.name}
                  isFocused={focused === list.id}
                  onFocused={() => setFocused(null)}
                  onRename={(name) => apply(renameList(plan, list.id, name))}
                  className="font-semibold max-sm:basis-full sm:w-40"
                />
                <OriginLabel origin={plan.origins[list.id]} />
                {plan.table?.list === list.id && <span className="text-[13px] text-ink-2">{formatCount(rows, 'row')}</span>}
                <Button
                  variant="quiet"
                  size="sm"
                  icon={Plus}
                  className="ml-auto"
                  onClick={() => {
                    const added = addField(plan, list.id, null);
                    apply(added);
                    if (added.field !== '') setFocused(fieldKey(list.id, added.field));
                  }}
                >
                  Field
                </Button>
                <Menu align="end" trigger={<IconButton icon={Ellipsis} label={`More for ${list.name}`} />}>
                  <MenuItem danger icon={<Trash2 />} onSelect={() => removed(removeList(plan, list.id), list.name)}>
                    {plan.table?.list === list.id ? 'Remove the list and its rows' : 'Remove the list'}
                  </MenuItem>
                </Menu>
              </header>
              <FieldRows
                plan={plan}
                list={list}
                focused={focused}
                onFocus={setFocused}
                onApply={apply}
                onRemove={(edited, name) => removed(edited, name)}
                onColumnType={(field, type) => retype(list, field, type)}
              />
            </section>
          ))}
        </div>
        <ViewTicks plan={plan} onToggle={(type, list) => apply(toggleView(plan, type, list))} />
        <p
          aria-hidden="true"
          className="mt-6 flex flex-wrap items-center gap-x-1.5 gap-y-1 text-[13px] text-ink-2 pointer-coarse:hidden"
        >
          <Key>Enter</Key> adds a field below <Key>Tab</Key> goes to its type <Key>Alt</Key>
          <Key>↑</Key> moves it
        </p>
      </section>
      <aside aria-label="Look" className="flex flex-col border-line bg-backdrop lg:min-h-0 lg:border-l">
        <div className="min-h-0 flex-1 p-4 max-lg:pb-40 lg:overflow-y-auto">
          <LookPanel
            document={document}
            onChange={(part) => apply({ plan: { ...plan, document: { ...document, ...part } }, notes: [] })}
          />
          {plan.start !== null && (
            <label className="mt-5 flex cursor-pointer items-start justify-between gap-3">
              <span>
                <span className="block font-semibold">Sample data</span>
                <span className="block text-[13px] text-ink-2">You delete it in one step.</span>
              </span>
              <input
                type="checkbox"
                checked={withSamples}
                onChange={(event) => setWithSamples(event.target.checked)}
                className="mt-1 size-4.5 accent-accent"
              />
            </label>
          )}
        </div>
        <Confirm
          open={building.tooMany !== null}
          title={`${(building.tooMany?.fits ?? 0).toLocaleString('en')} of ${formatCount(building.tooMany?.all ?? 0, 'row')} fit`}
          text="An app starts with at most 10 MB of rows. Build it with the first rows and import the others in the app, or go back and leave out a column."
          action="Build with the first rows"
          onConfirm={() => building.tooMany?.build()}
          onClose={building.dismiss}
        />
        <footer className="border-line border-t bg-panel p-4 max-lg:fixed max-lg:inset-x-0 max-lg:bottom-0 max-lg:z-10 max-lg:p-3">
          {problems.length > 0 && (
            <p role="alert" className="mb-3 text-[13px] text-bad">
              {problems[0]}
            </p>
          )}
          {building.error !== null && (
            <ErrorNotice error={building.error} onRetry={build} onDismiss={building.dismiss} className="mb-3" />
          )}
          <Button
            variant="primary"
            icon={Hammer}
            pending={building.busy && (rows > 0 ? `Writing ${formatCount(rows, 'row')}…` : 'Creating…')}
            disabled={!isReady}
            onClick={build}
            className="h-10! w-full text-[15px]! max-sm:h-12!"
          >
            Build the app
          </Button>
          {building.busy && (
            <Button variant="quiet" onClick={building.cancel} className="mt-1 w-full">
              Cancel
            </Button>
          )}
          <p className="mt-2.5 text-center text-[13px] text-ink-2">
            About 15 s. No model needed, every view is from the catalogue.
          </p>
        </footer>
      </aside>
    </div>
  );
}

function Key({ children }: { children: string }) {
  return (
    <kbd className="rounded border border-line-strong border-b-2 bg-panel px-1.5 font-sans text-[11px] leading-4.5">
      {children}
    </kbd>
  );
}

interface ViewTicksProps {
  readonly plan: AppPlan;
  readonly onToggle: (type: ViewType, list: string) => void;
}

/** The views of the app and those that fit its first list. All others are listed on request, with the reason if they do not fit. */
function ViewTicks({ plan, onToggle }: ViewTicksProps) {
  const { document } = plan;
  const [showsAll, setShowsAll] = useState(false);
  const entries = document.lists.flatMap((list, index) =>
    viewTypes.map((type) => ({
      ...{ list, type, isFirst: index === 0 },
      isTicked: hasView(document, type, list.id),
      missing: missingFor(type, list, document),
    })),
  );
  const fitting = entries.filter(({ missing, isTicked }) => missing === null || isTicked);
  const near = entries.filter(
    ({ isTicked, missing, isFirst, type }) => isTicked || (isFirst && missing === null && type !== 'sheet'),
  );
  const shown = showsAll ? entries : near;
  return (
    <section aria-labelledby="plan-views" className="mt-6">
      <div className="mb-2.5 flex items-baseline gap-2.5">
        <h2 id="plan-views" className="font-semibold">
          Views
        </h2>
        <span className="text-[13px] text-ink-2">{`${fitting.filter(({ isTicked }) => isTicked).length} of ${fitting.length} that fit`}</span>
        <Button variant="quiet" size="sm" aria-expanded={showsAll} className="ml-auto" onClick={() => setShowsAll(!showsAll)}>
          {showsAll ? 'Fewer views' : 'All views'}
        </Button>
      </div>
      <ul className="grid grid-cols-1 gap-2 sm:grid-cols-2 xl:grid-cols-3">
        {shown.map(({ list, type, isTicked, missing }) => {
          const { icon: Icon, name } = views[type];
          const isPossible = missing === null || isTicked;
          return (
            <li key={fieldKey(list.id, type)}>
              <label
                className={cx(
                  'flex h-full items-center gap-2.5 rounded-xl border px-3 py-2 has-focus-visible:outline-2 has-focus-visible:outline-accent has-focus-visible:outline-offset-2',
                  isTicked ? 'border-line-strong bg-panel' : 'border-line bg-sunken text-ink-2',
                  isPossible && 'cursor-pointer hover:border-ink-3',
                )}
              >
                <Icon aria-hidden="true" className="size-4 shrink-0" />
                <span className="min-w-0 flex-1">
                  <span className="block truncate font-medium leading-5">{name}</span>
                  <span className="block text-[13px] text-ink-2 leading-4.5">
                    {isPossible ? list.name : `${list.name}: ${missing}`}
                  </span>
                </span>
                <input
                  type="checkbox"
                  aria-label={`${name} of ${list.name}`}
                  checked={isTicked}
                  disabled={!isPossible}
                  onChange={() => onToggle(type, list.id)}
                  className="size-4 shrink-0 accent-accent outline-none!"
                />
              </label>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
