import { ChevronRight, ChevronsUpDown, CodeXml, Info, X } from 'lucide-react';
import { Tabs } from 'radix-ui';
import { type FocusEvent, type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { formatSeconds } from '#contract/display.ts';
import { isSame, valueAt } from '#kinds/film/contract/edit.ts';
import type { CodeScene, Film, FilmScene, FormatScene, Style } from '#kinds/film/contract/film.ts';
import type { FormatInfo } from '#kinds/film/contract/format-list.ts';
import { lengthOf } from '#kinds/film/contract/outline.ts';
import { themes } from '#kinds/film/contract/themes.ts';
import { browserStorage } from '../../../browser-storage.ts';
import { useProject } from '../../../project/context.ts';
import { Button, cx, IconButton, Waiting } from '../../../ui/elements.tsx';
import { Choice } from '../../../ui/fields.tsx';
import { useHasSheet } from '../../../ui/hooks.ts';
import { useNaturalSeconds, useSceneEditors, useSceneFormats, useSwitchFormat, useUnused } from './actions.ts';
import { filmTitleDraft, useEditor, useEditorState } from './document-store.ts';
import {
  type Binding,
  ChoiceInput,
  ColorInput,
  IconInput,
  ImageInput,
  NumberInput,
  SelectInput,
  SwitchInput,
  TextInput,
} from './field-inputs.tsx';
import { type Field, fieldsOf, parseNumber } from './field-schema.ts';
import { fieldKey, wordsOf } from './film-state.ts';
import { useFormats } from './formats.tsx';
import { FormatIcon } from './icons.tsx';
import { ListField } from './list-field.tsx';
import { ThemeBands, themeTitle } from './theme-panel.tsx';

interface InspectorProps {
  film: Film;
  onPickFormat: () => void;
  onThemes: () => void;
  announce: (text: string) => void;
}

const styleOptions: readonly { value: Style; label: string }[] = [
  { value: 'playful', label: 'Playful' },
  { value: 'smooth', label: 'Smooth' },
  { value: 'cinematic', label: 'Cinematic' },
];

/** Shows the selected scene as a form, and the film's look. */
export function Inspector({ film, onPickFormat, onThemes, announce }: InspectorProps) {
  const editor = useEditor();
  const selected = useEditorState((state) => state.selected);
  const formats = useFormats();
  const root = useRef<HTMLDivElement>(null);
  const hasSheet = useHasSheet();
  const [tab, setTab] = useState('content');
  const index = Math.max(
    0,
    film.scenes.findIndex(({ id }) => id === selected),
  );
  const scene = film.scenes[index];
  useFocusRequests(root, setTab);
  const format = scene === undefined || 'code' in scene ? null : (formats.find(({ id }) => id === scene.format) ?? null);
  const trackFocus = ({ target }: FocusEvent) =>
    editor.setFocused(target.closest('[data-field]')?.getAttribute('data-field') || null);
  const look = formats.length > 0 && <FilmLook film={film} onThemes={onThemes} opened={hasSheet} />;
  const head = scene !== undefined && formats.length > 0 && (
    <SceneHead key={`${scene.id} head`} film={film} index={index} format={format} onPickFormat={onPickFormat} />
  );
  const fields = (part: FieldPart) =>
    scene !== undefined &&
    formats.length > 0 && (
      <>
        {part !== 'options' && <UnusedWords sceneId={scene.id} />}
        {'code' in scene ? (
          part !== 'options' && <CodeFields key={scene.id} scene={scene} onReplace={onPickFormat} />
        ) : (
          <SceneFields key={scene.id} film={film} scene={scene} format={format} part={part} announce={announce} />
        )}
        {!('code' in scene) && part !== 'content' && <WordsField key={`${scene.id} title`} scene={scene} field="title" />}
      </>
    );
  if (!hasSheet)
    return (
      <div className="flex min-h-0 flex-1 flex-col bg-panel">
        <section
          ref={root}
          aria-label="Scene fields"
          onFocus={trackFocus}
          onBlur={() => editor.setFocused(null)}
          className="flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto px-4 pt-3.5 pb-4"
        >
          {head}
          {scene !== undefined && formats.length > 0 && <SceneFit film={film} index={index} />}
          {fields('all')}
        </section>
        {look}
      </div>
    );
  const panel = 'flex flex-col gap-4 px-4 pt-3 pb-4 data-[state=inactive]:hidden';
  return (
    <Tabs.Root
      value={tab}
      onValueChange={setTab}
      ref={root}
      onFocus={trackFocus}
      onBlur={() => editor.setFocused(null)}
      className="flex min-h-0 flex-1 flex-col"
    >
      {/* The height is that of the head, which appears once the formats are loaded. */}
      <div className="min-h-9 px-4">{head}</div>
      <Tabs.List aria-label="Fields of the scene and the film" className="mx-4 mt-3 flex shrink-0 rounded-lg bg-sunken p-0.5">
        {sheetTabs.map(({ value, label }) => (
          <Tabs.Trigger
            key={value}
            value={value}
            className="h-11 flex-1 rounded-[7px] px-1 text-[13px] text-ink-2 data-[state=active]:bg-panel data-[state=active]:font-medium data-[state=active]:text-ink data-[state=active]:shadow-card"
          >
            {label}
          </Tabs.Trigger>
        ))}
      </Tabs.List>
      <div className="min-h-0 flex-1 overflow-y-auto">
        {/* Hidden tabs stay mounted, so that a click on text in the frame finds its field. */}
        <Tabs.Content forceMount value="content" data-tab="content" className={panel}>
          {fields('content')}
        </Tabs.Content>
        <Tabs.Content forceMount value="options" data-tab="options" className={panel}>
          {scene !== undefined && formats.length > 0 && <SceneFit film={film} index={index} />}
          {fields('options')}
        </Tabs.Content>
        <Tabs.Content forceMount value="look" data-tab="look" className="data-[state=inactive]:hidden">
          {look}
        </Tabs.Content>
      </div>
    </Tabs.Root>
  );
}

const sheetTabs = [
  { value: 'content', label: 'Content' },
  { value: 'options', label: 'Options' },
  { value: 'look', label: 'Theme and style' },
] as const;

/** Part of the form to show. A phone shows a scene's texts and its options separately. */
type FieldPart = 'all' | 'content' | 'options';

const optionKinds: ReadonlySet<Field['kind']> = new Set(['switch', 'choice', 'row', 'color']);

const isIn = (part: FieldPart, { kind }: Field) => part === 'all' || optionKinds.has(kind) === (part === 'options');

/** `opened`: there is space for all settings. */
function FilmLook({ film, onThemes, opened }: Pick<InspectorProps, 'film' | 'onThemes'> & { opened: boolean }) {
  const { setLook } = useSceneEditors();
  return (
    <div className="flex flex-col gap-2 px-4 py-2.5 pane:border-line pane:border-t">
      <div className="flex items-center justify-between gap-2 text-[13px]">
        <span>Film theme</span>
        <button
          type="button"
          onClick={onThemes}
          title="Themes and brand (Shift+T)"
          className="flex h-10 w-[231px] items-center gap-2.5 rounded-lg border border-line-strong px-1.5 text-left hover:border-ink-3 hover:bg-sunken"
        >
          <ThemeBands colors={themes[film.theme]} className="h-7.5 w-13.5" />
          <span className="flex-1">{themeTitle(film.theme)}</span>
          <ChevronRight className="size-4 text-ink-3" />
        </button>
      </div>
      <div className="flex items-center justify-between gap-2 text-[13px]">
        <span aria-hidden="true">Film style</span>
        <Choice label="Film style" value={film.style} options={styleOptions} onChange={(style) => setLook('style', style)} />
      </div>
      <details open={opened} className="group text-[13px]">
        <summary className="flex h-8 cursor-pointer list-none items-center gap-1.5 rounded-md text-ink-2 hover:text-ink max-pane:h-11 [&::-webkit-details-marker]:hidden">
          <ChevronRight className="size-3.5 shrink-0 text-ink-3 transition-transform group-open:rotate-90" />
          Title, length and frame rate
        </summary>
        <FilmSettings film={film} />
      </details>
    </div>
  );
}

const frameRates = [
  { value: '30', label: '30 fps' },
  { value: '60', label: '60 fps' },
] as const;
const filmTitle = {
  kind: 'text',
  name: 'film-title',
  label: 'Film title',
  optional: false,
  long: false,
  min: 1,
  max: 80,
} as const;

function FilmSettings({ film }: { film: Film }) {
  const editor = useEditor();
  const draft = useEditorState(({ drafts }) => drafts[filmTitleDraft] ?? null);
  const holdTotal = useEditorState((state) => state.holdTotal);
  const { setLook, setTotal } = useSceneEditors();
  return (
    <div className="flex flex-col gap-2.5 pt-1 pb-1.5">
      <TextInput
        field={filmTitle}
        bind={{
          key: filmTitle.name,
          value: film.title,
          draft,
          setDraft: (text) => editor.setDraft(filmTitleDraft, text),
          commit: (title) => setLook('title', String(title), filmTitleDraft),
        }}
      />
      <div className="flex flex-wrap items-center justify-between gap-2">
        <LengthInput label="Film length" seconds={lengthOf(film)} onSet={setTotal} />
        <Choice
          label="Frames per second"
          value={film.fps === 30 ? '30' : '60'}
          options={frameRates}
          onChange={(fps) => setLook('fps', fps === '30' ? 30 : 60)}
        />
      </div>
      <label
        title="On: the next scene gets shorter or longer to compensate. Off: later scenes move."
        className="flex items-center gap-2 text-ink-2 max-pane:h-11"
      >
        <input
          type="checkbox"
          checked={holdTotal}
          onChange={(event) => editor.setHoldTotal(event.target.checked)}
          className="size-4 shrink-0 accent-accent"
        />
        Keep the film’s length when a scene’s changes
      </label>
    </div>
  );
}

/** Focuses a field, and shows its tab, when requested by the strip, undo or a click in the frame. */
function useFocusRequests(root: React.RefObject<HTMLElement | null>, showTab: (tab: string) => void): void {
  const request = useEditorState((state) => state.focusRequest);
  useEffect(() => {
    if (request === null) return;
    const fields = [...(root.current?.querySelectorAll<HTMLElement>('[data-field]') ?? [])];
    const named = (key: string) => fields.find((field) => field.getAttribute('data-field') === key);
    const key = request.field ?? '';
    const found =
      request.field === null
        ? fields[0]
        : (named(key) ?? fields.find((field) => field.getAttribute('data-field')?.startsWith(`${key}.`)));
    const tab = found?.closest('[data-tab]')?.getAttribute('data-tab');
    if (tab) showTab(tab);
    // A field in a hidden tab can receive the focus only once the tab is shown.
    const frame = requestAnimationFrame(() => found?.focus());
    return () => cancelAnimationFrame(frame);
  }, [request, root, showTab]);
}

interface SceneHeadProps {
  film: Film;
  index: number;
  format: FormatInfo | null;
  onPickFormat: () => void;
}

function SceneHead({ film, index, format, onPickFormat }: SceneHeadProps) {
  const hasSheet = useHasSheet();
  const scene = film.scenes[index];
  if (scene === undefined) return null;
  const length = hasSheet ? ` · ${formatSeconds(scene.seconds)}` : '';
  return (
    <div className="flex items-center gap-2.5">
      <button
        type="button"
        onClick={onPickFormat}
        title="Show this scene as another format (Shift+F)"
        className="-m-1 flex min-w-0 flex-1 items-center gap-2.5 rounded-lg p-1 text-left hover:bg-sunken"
      >
        <span className="flex size-8 shrink-0 items-center justify-center rounded-lg bg-accent-soft text-accent-text">
          <FormatIcon format={'code' in scene ? null : scene.format} />
        </span>
        <span className="min-w-0">
          <span className="flex items-center gap-1 font-semibold text-[15px] leading-5">
            <span className="truncate">{'code' in scene ? scene.title : (format?.title ?? scene.format)}</span>
            <ChevronsUpDown className="size-3.5 shrink-0 text-ink-3" />
          </span>
          <span className="block text-ink-2 text-xs">{`Scene ${index + 1} of ${film.scenes.length}${length}`}</span>
        </span>
      </button>
      {!hasSheet && <SceneLength key={scene.id} scene={scene} />}
    </div>
  );
}

/** Offers other formats for the scene and, on a phone, its length. */
function SceneFit({ film, index }: Pick<SceneHeadProps, 'film' | 'index'>) {
  const hasSheet = useHasSheet();
  const scene = film.scenes[index];
  const switchFormat = useSwitchFormat();
  const formats = useFormats();
  const fits = useSceneFormats(scene?.id ?? null);
  if (scene === undefined) return null;
  const id = 'code' in scene ? null : scene.format;
  const next = fits.filter((each) => each.props !== null && each.format !== id).slice(0, 2);
  return (
    <>
      {hasSheet && <SceneLength key={scene.id} scene={scene} />}
      {id !== null && (
        // The height is fixed, because the formats arrive after the fields below are shown.
        <div className="-mt-1.5 flex h-7 items-center gap-1.5 overflow-hidden whitespace-nowrap text-[13px] max-pane:mt-0 max-pane:h-11">
          {next.length > 0 && <span className="mr-0.5 text-ink-2 text-xs">Also fits</span>}
          {next.map((each) => (
            <button
              key={each.format}
              type="button"
              onClick={() => void switchFormat(scene.id, each.format)}
              className="flex h-full shrink-0 items-center gap-1.5 rounded-full bg-sunken px-2.5 hover:bg-bubble"
            >
              <FormatIcon format={each.format} />
              {formats.find((info) => info.id === each.format)?.title ?? each.format}
            </button>
          ))}
        </div>
      )}
    </>
  );
}

function SceneLength({ scene }: { scene: FilmScene }) {
  const natural = useNaturalSeconds(scene.id);
  const { setSeconds } = useSceneEditors();
  const auto = 'code' in scene ? null : natural;
  return (
    <div className="flex shrink-0 items-center gap-1.5">
      <LengthInput
        label="Length"
        seconds={scene.seconds}
        onSet={(seconds, isStep) => setSeconds(scene.id, seconds, isStep ? `${scene.id} length` : null)}
      />
      {auto !== null && (
        <button
          type="button"
          aria-pressed={auto === scene.seconds}
          title={`Reading time, about ${auto} s`}
          onClick={() => setSeconds(scene.id, auto)}
          className="h-9 rounded-lg px-1.5 text-ink-2 max-pane:h-11 text-xs hover:bg-sunken hover:text-ink aria-pressed:font-medium aria-pressed:text-accent-text"
        >
          Auto
        </button>
      )}
    </div>
  );
}

interface LengthInputProps {
  label: string;
  seconds: number;
  /** `isStep`: one of several key presses, which are one undo step. */
  onSet: (seconds: number, isStep: boolean) => void;
}

/** Edits a length in seconds. */
function LengthInput({ label, seconds, onSet }: LengthInputProps) {
  const [draft, setDraft] = useState<string | null>(null);
  const commit = () => {
    const value = draft === null ? null : parseNumber(draft.replace(/s\s*$/i, ''));
    if (value !== null) onSet(value, false);
    setDraft(null);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowUp: 0.1, ArrowDown: -0.1 }[event.key];
    if (event.key === 'Enter') commit();
    else if (event.key === 'Escape') setDraft(null);
    else if (by !== undefined) onSet(seconds + by * (event.shiftKey ? 10 : 1), true);
    else return;
    event.preventDefault();
  };
  return (
    <label className="flex items-center gap-1.5 text-ink-2 text-xs">
      {label}
      <span className="relative">
        <input
          inputMode="decimal"
          value={draft ?? String(Math.round(seconds * 100) / 100)}
          onChange={(event) => setDraft(event.target.value)}
          onBlur={commit}
          onKeyDown={onKeyDown}
          className="h-9 w-16 rounded-lg border max-pane:h-11 max-pane:text-base border-line-strong bg-panel pr-6 pl-2 text-right text-[13px] text-ink tabular-nums"
        />
        <span aria-hidden="true" className="pointer-events-none absolute inset-y-0 right-2 flex items-center text-ink-3">
          s
        </span>
      </span>
    </label>
  );
}

/** Lists words in the request that the film lacks. Once closed, the notice never appears again. */
function UnusedWords({ sceneId }: { sceneId: string }) {
  const { projectId } = useProject();
  const unused = useUnused();
  const formats = useFormats();
  const { add } = useSceneEditors();
  const name = `koda:unused:${projectId}`;
  const text = unused?.words.join('”, “') ?? '';
  const [hidden, setHidden] = useState(() => browserStorage.read(name));
  if (unused === null || text === '' || hidden === text) return null;
  const hide = () => {
    browserStorage.write(name, text);
    setHidden(text);
  };
  return (
    <div role="note" className="relative rounded-[10px] bg-sunken px-3 py-2.5 text-[13px] text-ink-2">
      <p className="pr-6 leading-5">
        Not used yet: <span className="font-medium text-ink">{`“${text}”`}</span>
      </p>
      <div className="mt-1.5 flex flex-wrap items-center gap-1.5">
        <span className="text-xs">Show it as</span>
        {unused.suggestions.map(({ format, props, seconds }) => (
          <button
            key={format}
            type="button"
            onClick={() => {
              add(format, sceneId, { props, seconds });
              hide();
            }}
            className="flex h-7 items-center gap-1.5 rounded-full border border-line-strong bg-panel px-2.5 text-ink hover:border-ink-3 max-pane:h-11"
          >
            <FormatIcon format={format} />
            {formats.find(({ id }) => id === format)?.title ?? format}
          </button>
        ))}
      </div>
      <IconButton icon={X} label="Hide this notice permanently" onClick={hide} className="absolute top-1 right-1 size-7" />
    </div>
  );
}

interface WordsFieldProps {
  scene: FilmScene;
  field: 'title' | 'description' | 'notes';
}

const wordsFields = {
  title: { kind: 'text', name: 'words-title', label: 'Scene title', long: false, min: 1, max: 80 },
  description: { kind: 'text', name: 'words-description', label: 'What happens', long: true, min: 1, max: 1000 },
  notes: { kind: 'text', name: 'words-notes', label: 'Motion', long: true, min: 0, max: 1000 },
} as const;

/** Edits what a scene is called, or the words that Koda builds it from. */
function WordsField({ scene, field }: WordsFieldProps) {
  const editor = useEditor();
  const kind = wordsFields[field];
  const draftName = `${scene.id} ${kind.name}`;
  const draft = useEditorState(({ drafts }) => drafts[draftName] ?? null);
  const value = wordsOf(scene, field);
  const before = useRef(value);
  // Only a format scene has a title without one of its own.
  const optional = field === 'notes' || (field === 'title' && !('code' in scene));
  const commit = (next: unknown) => void editor.setWords(scene.id, field, typeof next === 'string' ? next : null);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    if (draft !== null) editor.setDraft(draftName, null);
    else if (value !== before.current) commit(before.current);
    else document.querySelector<HTMLElement>('[data-strip] [aria-current]')?.focus();
  };
  return (
    <div onFocusCapture={() => (before.current = value)}>
      <TextInput
        field={{ ...kind, optional, min: optional ? 0 : kind.min }}
        bind={{ key: kind.name, value, draft, setDraft: (text) => editor.setDraft(draftName, text), commit }}
        onKeyDown={onKeyDown}
      />
    </div>
  );
}

/** Edits the words that Koda builds a scene from; once it is built, its file. */
function CodeFields({ scene, onReplace }: { scene: CodeScene; onReplace: () => void }) {
  const isProposed = useEditorState(({ film }) => film?.isProposed ?? false);
  if (!isProposed)
    return (
      <>
        <WordsField scene={scene} field="title" />
        <CodeNote path={`src/scenes/${scene.id}.tsx`} onReplace={onReplace} />
      </>
    );
  return (
    <>
      <WordsField scene={scene} field="title" />
      <WordsField scene={scene} field="description" />
      <WordsField scene={scene} field="notes" />
      <p className="flex items-start gap-1.5 text-ink-3 text-xs leading-4.5">
        <CodeXml aria-hidden="true" className="size-4 shrink-0" />
        Koda builds this scene from these words once you accept the plan.
      </p>
    </>
  );
}

function CodeNote({ path, onReplace }: { path: string; onReplace: () => void }) {
  const { workbench } = useProject();
  return (
    <div className="rounded-[10px] bg-sunken px-4 py-5 text-center">
      <CodeXml aria-hidden="true" className="mx-auto mb-2 size-6 stroke-[1.5] text-ink-3" />
      <p className="font-medium">This scene is written in code.</p>
      <p className="mt-0.5 break-all font-mono text-ink-3 text-xs">{path}</p>
      <div className="mt-3 flex flex-wrap justify-center gap-2">
        <Button size="sm" onClick={() => workbench.setState({ chosenTab: 'code' })}>
          Open in Code
        </Button>
        <Button size="sm" onClick={onReplace}>
          Replace with a format
        </Button>
      </div>
    </div>
  );
}

interface SceneFieldsProps {
  film: Film;
  scene: FormatScene;
  format: FormatInfo | null;
  part: FieldPart;
  announce: (text: string) => void;
}

function SceneFields({ film, scene, format, part, announce }: SceneFieldsProps) {
  const editor = useEditor();
  const drafts = useEditorState((state) => state.drafts);
  const before = useRef<{ key: string; value: unknown }>(null);
  const fields = useMemo(() => (format === null ? [] : fieldsOf(format.schema)), [format]);
  if (format === null) return <Waiting>Loading the fields…</Waiting>;
  const { accent, helper, ink } = themes[film.theme];
  const palette = [...new Set([film.colors.accent ?? accent, film.colors.helper ?? helper, film.colors.ink ?? ink])];
  const bind = (path: readonly (string | number)[]): Binding => {
    const key = fieldKey(path);
    const name = `${scene.id} ${key}`;
    return {
      key,
      value: valueAt(scene.props, path),
      draft: drafts[name] ?? null,
      setDraft: (text) => editor.setDraft(name, text),
      commit: (value) => void editor.setField(scene.id, path, value),
    };
  };
  const rowsOf = (name: string): readonly unknown[] => {
    const rows = scene.props[name];
    return Array.isArray(rows) ? rows : [];
  };
  const setRows = (name: string, rows: readonly unknown[], moved: (index: number) => number | null) => {
    editor.dropDrafts(`${scene.id} ${name}.`);
    // Fields that refer to a row by index are updated in the same undo step.
    const pointers = fields.flatMap((field) => {
      const at = scene.props[field.name];
      if (field.kind !== 'row' || field.list !== name || typeof at !== 'number') return [];
      const next = moved(at);
      return next === null && !field.optional ? [] : [{ path: [field.name], value: next }];
    });
    editor.setFields(scene.id, [{ path: [name], value: rows }, ...pointers]);
  };
  const onFocus = (event: FocusEvent) => {
    const key = event.target.getAttribute('data-field');
    if (key) before.current = { key, value: valueAt(scene.props, key.split('.')) };
  };
  // Escape reverts what was typed in the field, then returns to the strip.
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented || !(event.target instanceof Element)) return;
    const key = event.target.getAttribute('data-field');
    if (!key) return;
    event.preventDefault();
    const path = key.split('.').map((part) => (/^\d+$/.test(part) ? Number(part) : part));
    const binding = bind(path);
    const start = before.current?.key === key ? before.current : null;
    if (binding.draft !== null) binding.setDraft(null);
    else if (start !== null && !isSame(start.value ?? null, binding.value ?? null)) binding.commit(start.value);
    else document.querySelector<HTMLElement>('[data-strip] [aria-current]')?.focus();
  };
  const draw = (field: Field, path: readonly (string | number)[]) => {
    switch (field.kind) {
      case 'list':
        return (
          <ListField
            field={field}
            rows={path.length === 1 ? rowsOf(field.name) : listAt(scene.props, path)}
            sorted={scene.props['sorted'] === true}
            palette={palette}
            bind={(inner) => bind([...path, ...inner])}
            onRows={(rows, moved) => (path.length === 1 ? setRows(field.name, rows, moved) : bind(path).commit(rows))}
            announce={announce}
          />
        );
      case 'group':
        return <GroupField field={field} bind={bind(path)} draw={(inner) => draw(inner, [...path, inner.name])} />;
      case 'row':
        return <RowChoice field={field} bind={bind(path)} rows={rowsOf(field.list)} />;
      default:
        return <PlainField field={field} bind={bind(path)} palette={palette} />;
    }
  };
  return (
    <fieldset
      aria-label={part === 'options' ? `${format.title} options` : `${format.title} fields`}
      className="grid min-w-0 grid-cols-2 gap-x-2 gap-y-3.5"
      onFocusCapture={onFocus}
      onKeyDown={onKeyDown}
    >
      {fields
        .filter((field) => isIn(part, field))
        .map((field) => (
          <div key={field.name} className={cx('min-w-0', !(field.kind === 'text' && field.max <= 20) && 'col-span-2')}>
            {draw(field, [field.name])}
          </div>
        ))}
    </fieldset>
  );
}

const listAt = (props: unknown, path: readonly (string | number)[]): readonly unknown[] => {
  const value = valueAt(props, path);
  return Array.isArray(value) ? value : [];
};

type GroupKind = Extract<Field, { kind: 'group' }>;

function GroupField({ field, bind, draw }: { field: GroupKind; bind: Binding; draw: (field: Field) => React.ReactNode }) {
  if (field.optional && bind.value === null) return null;
  return (
    <fieldset className="min-w-0 rounded-[10px] border border-line px-3 pt-1 pb-3">
      <legend className="px-1 font-medium text-[13px]">{field.label}</legend>
      <div className="flex flex-col gap-2.5">
        {field.fields.map((inner) => (
          <div key={inner.name}>{draw(inner)}</div>
        ))}
      </div>
    </fieldset>
  );
}

/** Chooses the highlighted row. */
function RowChoice({ field, bind, rows }: { field: Extract<Field, { kind: 'row' }>; bind: Binding; rows: readonly unknown[] }) {
  const names = rows.map((row, index) => {
    const text = Object.values(Object(row)).find((value) => typeof value === 'string' && value !== '');
    return { value: String(index), label: typeof text === 'string' ? text : `Row ${index + 1}` };
  });
  return (
    <SelectInput
      label={field.label}
      bind={bind}
      value={typeof bind.value === 'number' ? String(bind.value) : ''}
      options={field.optional ? [{ value: '', label: 'None' }, ...names] : names}
      onChange={(value) => bind.commit(value === '' ? null : Number(value))}
    />
  );
}

function PlainField({ field, bind, palette }: { field: Field; bind: Binding; palette: readonly string[] }) {
  switch (field.kind) {
    case 'text':
      return <TextInput field={field} bind={bind} />;
    case 'number':
      return <NumberInput field={field} bind={bind} />;
    case 'switch':
      return field.optional ? <ThreeWay field={field} bind={bind} /> : <SwitchInput field={field} bind={bind} />;
    case 'choice':
      return <ChoiceInput field={field} bind={bind} />;
    case 'color':
      return <ColorInput field={field} bind={bind} palette={palette} />;
    case 'image':
      return <ImageInput field={field} bind={bind} />;
    case 'icon':
      return (
        <div className="flex items-center justify-between gap-3 text-[13px]">
          <span>{field.label}</span>
          <IconInput field={field} bind={bind} />
        </div>
      );
    default:
      return (
        <p className="flex items-center gap-1.5 text-ink-3 text-xs">
          <Info className="size-4" />
          {field.label} is edited in Code.
        </p>
      );
  }
}

const threeWays = [
  { value: 'auto', label: 'Auto' },
  { value: 'on', label: 'On' },
  { value: 'off', label: 'Off' },
];

/** Shows a switch with a third state that leaves the choice to the format. */
function ThreeWay({ field, bind }: { field: Field; bind: Binding }) {
  const shown = new Map<unknown, string>([
    [true, 'on'],
    [false, 'off'],
  ]);
  return (
    <SelectInput
      label={field.label}
      bind={bind}
      value={shown.get(bind.value) ?? 'auto'}
      options={threeWays}
      onChange={(value) => bind.commit(value === 'auto' ? null : value === 'on')}
    />
  );
}
