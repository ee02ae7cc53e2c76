import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { type FilmEdit, isSame } from '#kinds/film/contract/edit.ts';
import {
  type Film,
  type FilmScene,
  type FormatScene,
  maxDurationSeconds,
  maxScenes,
  minSceneSeconds,
  roundSeconds,
} from '#kinds/film/contract/film.ts';
import type { FormatInfo } from '#kinds/film/contract/format-list.ts';
import { lengthOf } from '#kinds/film/contract/outline.ts';
import { useProject } from '../../../project/context.ts';
import { toast } from '../../../ui/toasts.tsx';
import { filmApi } from '../film-document.ts';
import { type DocumentStore, newSceneId, useEditor, useEditorState } from './document-store.ts';
import { jsonOf } from './film-state.ts';
import { useFormats } from './formats.tsx';

/** Edits to scenes and looks, shared by the strip, the inspector, the picker and key bindings. */

/** Queries how each format would show the scene as it is stored. */
export function useSceneFormats(sceneId: string | null) {
  const { projectId } = useProject();
  const revision = useEditorState((state) => state.film?.stored.revision ?? 0);
  const { data } = useQuery({
    queryKey: ['scene-formats', projectId, sceneId, revision],
    queryFn: ({ signal }) => filmApi.sceneFormats(projectId, sceneId ?? '', signal),
    enabled: sceneId !== null,
    placeholderData: (before) => before,
  });
  return data ?? [];
}

/** Queries the server's findings about the stored document. */
function useFindings() {
  const { projectId } = useProject();
  const revision = useEditorState((state) => state.film?.stored.revision ?? 0);
  const { data } = useQuery({
    queryKey: ['film-document', projectId, revision],
    queryFn: ({ signal }) => filmApi.document(projectId, signal),
    placeholderData: (before) => before,
  });
  return data ?? null;
}

/** Returns the words in the request that no scene shows. */
export const useUnused = () => useFindings()?.unused ?? null;

/** Returns the time in seconds that the stored scene takes to read, or `null` if it is unknown or the scene is code. */
export const useNaturalSeconds = (sceneId: string): number | null => useFindings()?.naturalSeconds[sceneId] ?? null;

export function titleOf(scene: FilmScene, formats: readonly FormatInfo[]): string {
  if ('code' in scene) return scene.title;
  return scene.title ?? formats.find(({ id }) => id === scene.format)?.title ?? scene.format;
}

const newSceneSeconds = 2;
/** Comfortable reading speed, as for subtitles. */
const readingCharactersPerSecond = 15;

/**
 * Returns the edits that set a scene's length, within the limits of a scene. `holdTotal`: the next scene compensates, as far as
 * it can.
 */
export function lengthEdits({ scenes }: Film, id: string, seconds: number, { holdTotal }: { holdTotal: boolean }): FilmEdit[] {
  const at = scenes.findIndex((scene) => scene.id === id);
  const scene = scenes[at];
  if (scene === undefined || !Number.isFinite(seconds)) return [];
  const beside = holdTotal ? (scenes[at + 1] ?? scenes[at - 1]) : undefined;
  const most = beside === undefined ? maxDurationSeconds : scene.seconds + Math.max(0, beside.seconds - minSceneSeconds);
  const value = roundSeconds(Math.max(minSceneSeconds, Math.min(most, seconds)));
  if (value === scene.seconds) return [];
  const rest = beside && roundSeconds(beside.seconds + scene.seconds - value);
  return [
    { type: 'seconds', scene: id, was: scene.seconds, value },
    ...(beside && rest !== undefined ? [{ type: 'seconds' as const, scene: beside.id, was: beside.seconds, value: rest }] : []),
  ];
}

/** Returns the edits that scale the scenes to a film of this length, none below the minimum. */
export function totalEdits(film: Film, seconds: number): FilmEdit[] {
  const factor = Math.min(maxDurationSeconds, seconds) / lengthOf(film);
  const scaled = film.scenes.map((scene) => ({
    scene,
    value: Math.max(minSceneSeconds, Math.round(10 * scene.seconds * factor) / 10),
  }));
  let rest = seconds - scaled.reduce((sum, { value }) => sum + value, 0);
  // The longest scenes absorb the rounding, because it is least visible there.
  for (const part of scaled.toSorted((one, other) => other.value - one.value)) {
    const value = Math.max(minSceneSeconds, roundSeconds(part.value + rest));
    rest = roundSeconds(rest - (value - part.value));
    part.value = value;
  }
  return scaled.flatMap(({ scene, value }) =>
    value === scene.seconds ? [] : [{ type: 'seconds' as const, scene: scene.id, was: scene.seconds, value }],
  );
}

export function sceneEditors(editor: DocumentStore, formats: readonly FormatInfo[]) {
  const film = (): Film | null => editor.store.getState().film?.film ?? null;
  const find = (id: string) => film()?.scenes.find((scene) => scene.id === id) ?? null;
  const run = (edits: readonly FilmEdit[], sceneId: string | null, group: string | null = null): boolean => {
    const problem = editor.edit(edits, { sceneId, field: null }, group);
    if (problem !== null) toast(problem);
    return problem === null;
  };
  const put = (scene: FilmScene, after: string | null) => {
    const now = film();
    if (now === null) return;
    const total = now.scenes.reduce((sum, { seconds }) => sum + seconds, scene.seconds);
    if (now.scenes.length >= maxScenes) toast(`A film can have at most ${maxScenes} scenes.`);
    else if (total > maxDurationSeconds) toast('A film can last at most ten minutes.');
    else if (run([{ type: 'add', after, scene }], scene.id)) editor.select(scene.id);
  };
  return {
    /** Adds a scene with this content, or with the format's example. */
    add(format: string, after: string | null, content: Pick<FormatScene, 'props' | 'seconds'> | null = null) {
      const info = formats.find(({ id }) => id === format);
      if (info === undefined) return;
      const { props, seconds } = content ?? { props: info.example, seconds: info.seconds };
      put({ id: newSceneId(), seconds, format, props }, after);
    },
    /** Adds a scene that Koda builds from these words. Curly quotes contain words that it shows as they are. */
    addInWords(description: string, after: string | null) {
      const seconds = Math.max(newSceneSeconds, Math.round(10 * (1 + description.length / readingCharactersPerSecond)) / 10);
      const isQuoted = description.startsWith('“');
      const title = description.replaceAll(/[“”]/gu, '').slice(0, 80).trim();
      const notes = 'Enters, holds, leaves.';
      put({ id: newSceneId(), seconds: isQuoted ? seconds : newSceneSeconds, title, description, code: true, notes }, after);
    },
    duplicate(id: string) {
      const scene = find(id);
      if (scene === null || ('code' in scene && !editor.store.getState().film?.isProposed))
        toast('A scene that is written in code cannot be duplicated here.');
      else put({ ...scene, id: newSceneId() }, id);
    },
    remove(id: string) {
      const scenes = film()?.scenes ?? [];
      const at = scenes.findIndex((scene) => scene.id === id);
      const neighbour = scenes[at + 1] ?? scenes[at - 1];
      if (!run([{ type: 'remove', scene: id }], id) || neighbour === undefined) return;
      editor.select(neighbour.id);
      toast('Scene removed.', { action: { label: 'Undo', run: () => editor.undo() } });
    },
    /** Moves a scene to another index. */
    move(id: string, to: number) {
      const scenes = film()?.scenes ?? [];
      const others = scenes.filter((scene) => scene.id !== id);
      const after = others[to - 1]?.id ?? null;
      const before = scenes[scenes.findIndex((scene) => scene.id === id) - 1]?.id ?? null;
      if (after !== before) run([{ type: 'move', scene: id, after }], id);
    },
    setSeconds(id: string, seconds: number, group: string | null = null) {
      const now = film();
      const edits = now === null ? [] : lengthEdits(now, id, seconds, editor.store.getState());
      if (edits.length > 0) run(edits, id, group);
    },
    setTotal(seconds: number) {
      const now = film();
      const edits = now === null ? [] : totalEdits(now, seconds);
      if (edits.length > 0) run(edits, editor.store.getState().selected);
    },
    setFormat(id: string, format: string, props: FormatScene['props']) {
      const scene = find(id);
      if (scene === null) return;
      run([{ type: 'format', scene: id, was: 'code' in scene ? null : scene.format, format, props }], id);
    },
    setLook<Field extends 'title' | 'style' | 'theme' | 'aspect' | 'fps' | 'colors'>(
      field: Field,
      value: Film[Field],
      group: string | null = null,
    ) {
      const was = film()?.[field];
      if (was === undefined || isSame(was, value)) return;
      run([{ type: 'look', field, was: jsonOf(was), value: jsonOf(value) }], editor.store.getState().selected, group);
    },
  };
}
export type SceneEditors = ReturnType<typeof sceneEditors>;

export function useSceneEditors(): SceneEditors {
  return sceneEditors(useEditor(), useFormats());
}

/** Changes a scene's format, keeping the content that fits, and offers an undo. */
export function useSwitchFormat() {
  const { projectId } = useProject();
  const editor = useEditor();
  const formats = useFormats();
  const client = useQueryClient();
  return useCallback(
    async (sceneId: string, format: string) => {
      // Unsent edits would otherwise be lost.
      await editor.settle();
      const list = await client.fetchQuery({
        queryKey: ['scene-formats', projectId, sceneId, 'fresh'],
        queryFn: ({ signal }) => filmApi.sceneFormats(projectId, sceneId, signal),
        staleTime: 0,
      });
      const found = list.find((each) => each.format === format);
      const title = formats.find(({ id }) => id === format)?.title ?? format;
      if (!found || found.props === null) {
        toast(`${title} cannot show this scene. ${found && 'reason' in found ? found.reason : ''}`);
        return;
      }
      sceneEditors(editor, formats).setFormat(sceneId, format, found.props);
      const lost = found.lost.length === 0 ? '' : ` Not used here: ${found.lost.join(', ')}.`;
      toast(`Now: ${title}.${lost}`, { action: { label: 'Undo', run: () => editor.undo() } });
    },
    [projectId, editor, formats, client],
  );
}
