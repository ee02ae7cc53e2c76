import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { type Film, type FilmScene, type FormatScene, maxDurationSeconds, maxScenes } from '#contract/film.ts';
import { type FilmEdit, isSame } from '#contract/film-edit.ts';
import type { FormatInfo } from '#contract/format-list.ts';
import { filmApi } from '../api/film-document.ts';
import { useProject } from '../project/context.ts';
import { toast } from '../ui/toasts.tsx';
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

export function sceneEditors(editor: DocumentStore, formats: readonly FormatInfo[]) {
  const film = (): Film | null => editor.store.getState().film?.film ?? null;
  const find = (id: string) => film()?.scenes.find((scene) => scene.id === id) ?? null;
  const run = (edits: readonly FilmEdit[], sceneId: string | null, group: string | null = null): boolean => {
    const problem = editor.edit(edits, { sceneId, field: null }, group);
    if (problem !== null) toast(problem);
    return problem === null;
  };
  const put = (scene: FormatScene, after: string | null) => {
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
    duplicate(id: string) {
      const scene = find(id);
      if (scene === null || 'code' in scene) toast('A scene that is written in code cannot be duplicated here.');
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
      const scene = find(id);
      const value = Math.round(1000 * Math.min(maxDurationSeconds, Math.max(1, seconds))) / 1000;
      if (scene !== null && scene.seconds !== value) run([{ type: 'seconds', scene: id, was: scene.seconds, value }], id, group);
    },
    setFormat(id: string, format: string, props: FormatScene['props']) {
      const scene = find(id);
      if (scene === null) return;
      run([{ type: 'format', scene: id, was: 'code' in scene ? null : scene.format, format, props }], id);
    },
    setLook<Field extends 'style' | 'theme' | 'aspect' | 'colors'>(
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
      await editor.flush();
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
