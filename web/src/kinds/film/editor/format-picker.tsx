import { formatSeconds } from '#contract/display.ts';
import type { Film } from '#kinds/film/contract/film.ts';
import type { FormatInfo } from '#kinds/film/contract/format-list.ts';
import { titleOf, useSceneEditors, useSceneFormats, useSwitchFormat, useUnused } from './actions.ts';
import { useEditorState } from './document-store.ts';
import { FormatChoice, FormatDialog, type FormatEntry, type FormatSection } from './format-dialog.tsx';
import { useFormats } from './formats.tsx';

/** Purpose of opening the picker: to add a scene after another one, or to change a scene's format. */
export type PickerPurpose =
  | { readonly kind: 'add'; readonly after: string | null }
  | { readonly kind: 'switch'; readonly sceneId: string };

interface FormatPickerProps {
  film: Film;
  purpose: PickerPurpose | null;
  onClose: () => void;
}

export function FormatPicker({ film, purpose, onClose }: FormatPickerProps) {
  return (
    <FormatDialog open={purpose !== null} onClose={onClose}>
      {purpose !== null && <SceneFormatChoice film={film} purpose={purpose} onClose={onClose} />}
    </FormatDialog>
  );
}

function SceneFormatChoice({ film, purpose, onClose }: { film: Film; purpose: PickerPurpose; onClose: () => void }) {
  const formats = useFormats();
  const { add, addInWords } = useSceneEditors();
  const isProposed = useEditorState((state) => state.film?.isProposed ?? false);
  const switchFormat = useSwitchFormat();
  const unused = useUnused();
  const sections = useSections(film, purpose);
  const isNew = purpose.kind === 'add';
  const total = film.scenes.reduce((sum, scene) => sum + scene.seconds, 0);
  const lengthNote = (info: FormatInfo) => {
    const { seconds } = unused?.suggestions.find(({ format }) => format === info.id) ?? info;
    return `Takes about ${formatSeconds(seconds)}. The film will be ${formatSeconds(total + seconds)} long.`;
  };
  return (
    <FormatChoice
      title={headingOf(film, purpose, formats)}
      description="Pick a format. You can switch later. Text that fits is kept."
      sections={sections}
      verb={isNew ? 'Add' : 'Show'}
      action={(info) => (isNew ? 'Add scene' : `Show as ${info.title}`)}
      note={(info) => (isNew ? lengthNote(info) : 'Fields that fit keep their content.')}
      onChoose={(info) => {
        if (purpose.kind === 'switch') void switchFormat(purpose.sceneId, info.id);
        else add(info.id, purpose.after, unused?.suggestions.find(({ format }) => format === info.id) ?? null);
      }}
      onDescribe={isNew && isProposed ? (words) => addInWords(words, purpose.after) : null}
      onClose={onClose}
    />
  );
}

function useSections(film: Film, purpose: PickerPurpose): readonly FormatSection[] {
  const formats = useFormats();
  const unused = useUnused();
  const fits = useSceneFormats(purpose.kind === 'switch' ? purpose.sceneId : null);
  const infoOf = (id: string) => formats.find((info) => info.id === id);
  const entries = (ids: readonly string[]): FormatEntry[] =>
    ids.map(infoOf).flatMap((info) => (info ? [{ info, refusal: null }] : []));
  if (purpose.kind === 'switch') {
    const scene = film.scenes.find(({ id }) => id === purpose.sceneId);
    const isCode = scene === undefined || 'code' in scene;
    if (isCode || fits.length === 0) return [{ title: '', entries: entries(formats.map(({ id }) => id)) }];
    const able = fits.flatMap((fit) => (fit.props === null ? [] : [fit.format]));
    const unable = fits.flatMap((fit): FormatEntry[] => {
      const info = infoOf(fit.format);
      return 'reason' in fit && info ? [{ info, refusal: fit.reason }] : [];
    });
    return [
      { title: 'Keeps the text', entries: entries(able) },
      { title: 'Cannot hold this scene', entries: unable },
    ].filter((section) => section.entries.length > 0);
  }
  const suggested = unused?.suggestions.map(({ format }) => format) ?? [];
  const words = unused?.words.join('”, “') ?? '';
  const rest = entries(formats.map(({ id }) => id).filter((id) => !suggested.includes(id)));
  return [
    ...(suggested.length === 0 ? [] : [{ title: `For “${words}”`, entries: entries(suggested) }]),
    { title: suggested.length === 0 ? '' : 'More formats', entries: rest },
  ];
}

function headingOf(film: Film, purpose: PickerPurpose, formats: readonly FormatInfo[]): string {
  const sceneId = purpose.kind === 'add' ? purpose.after : purpose.sceneId;
  const at = film.scenes.findIndex(({ id }) => id === sceneId);
  const scene = film.scenes[at];
  if (scene === undefined) return 'Add a scene at the start';
  return purpose.kind === 'add' ? `Add a scene after scene ${at + 1}, ${titleOf(scene, formats)}` : `Show scene ${at + 1} as`;
}
