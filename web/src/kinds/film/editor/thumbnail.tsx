import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Film, FilmScene, ThemeName } from '#kinds/film/contract/film.ts';
import type { FormatInfo } from '#kinds/film/contract/format-list.ts';
import { stillKey } from '#kinds/film/contract/still.ts';
import { themes } from '#kinds/film/contract/themes.ts';
import { toApiError } from '../../../api/client.ts';
import { useProject, useView } from '../../../project/context.ts';
import { isRunning } from '../../../project/renders.ts';
import { filmApi } from '../film-document.ts';
import { useEditorState } from './document-store.ts';
import { fieldsOf, textsIn } from './field-schema.ts';
import { pictureOf } from './formats.tsx';
import { FormatIcon } from './icons.tsx';
import { themeFont } from './theme-panel.tsx';

interface ThumbnailProps {
  scene: FilmScene;
  film: Film;
  formats: readonly FormatInfo[];
  /** A theme to show instead of the film's own. */
  theme: ThemeName | null;
}

/**
 * Shows a still of the scene. Until it exists, shows the format's sample or, in a plan or with another theme, the scene's
 * texts.
 */
export function Thumbnail({ scene, film, formats, theme }: ThumbnailProps) {
  const still = useStill(scene.id);
  const isProposed = useEditorState((state) => state.film?.isProposed ?? false);
  const picture = still ?? ('code' in scene || isProposed ? null : pictureOf(scene.format));
  const shownTheme = theme ?? film.theme;
  if (picture === null || shownTheme !== film.theme)
    return <TextCard scene={scene} film={film} formats={formats} theme={shownTheme} />;
  const { top, bottom } = themes[film.theme];
  const { ground } = film.colors;
  return (
    <img
      src={picture}
      data-still={still === null ? undefined : ''}
      alt=""
      draggable={false}
      className="pointer-events-none size-full object-contain"
      style={{ background: `linear-gradient(${ground ?? top}, ${ground ?? bottom})` }}
    />
  );
}

/** Shows the scene's texts in a theme's colours. */
function TextCard({ scene, film, formats, theme }: Omit<ThumbnailProps, 'theme'> & { theme: ThemeName }) {
  const { top, bottom, ink, accent } = themes[theme];
  const { colors } = film;
  const isCode = 'code' in scene;
  const schema = isCode ? null : formats.find(({ id }) => id === scene.format)?.schema;
  const fields = useMemo(() => (schema ? fieldsOf(schema) : []), [schema]);
  const texts = isCode
    ? [scene.title, scene.description]
    : fields.flatMap((field) => textsIn(field, scene.props[field.name])).filter((text) => text !== '');
  const isWord = (text: string) => /\p{L}{2}/u.test(text);
  const title = texts.find(isWord) ?? texts[0] ?? '';
  const rest = texts.filter((text) => text !== title && (isWord(text) || text.length > 1)).slice(0, 4);
  return (
    <span
      aria-hidden="true"
      className="@container flex size-full flex-col justify-center gap-1 overflow-hidden px-2.5 text-left"
      style={{
        background: `linear-gradient(${colors.ground ?? top}, ${colors.ground ?? bottom})`,
        color: colors.ink ?? ink,
        fontFamily: themeFont(theme),
      }}
    >
      <span className="flex items-start justify-between gap-1">
        <span className="line-clamp-2 font-semibold text-[clamp(12px,7cqw,22px)] leading-[1.15]">{title}</span>
        <span className="shrink-0" style={{ color: colors.accent ?? accent }}>
          <FormatIcon format={isCode ? null : scene.format} className="size-3.5" />
        </span>
      </span>
      {rest.length > 0 && (
        <span className="line-clamp-2 text-[clamp(9px,4.4cqw,14px)] leading-[1.3] opacity-75">{rest.join(' · ')}</span>
      )}
      <span className="h-[3px] w-1/3 rounded-full" style={{ background: colors.accent ?? accent }} />
    </span>
  );
}

const maxRetryDelayMs = 10_000;
/** Codes of errors that end when Koda, a render or the preview's start is finished. */
const passingErrors: ReadonlySet<string> = new Set(['SERVICE_UNAVAILABLE', 'NETWORK']);

let turns: Promise<unknown> = Promise.resolve();

/** Runs tasks one after another, because a browser opens only a few connections and edits need one. */
function inTurn<T>(task: () => Promise<T>): Promise<T> {
  const result = turns.then(task);
  turns = result.catch(() => undefined);
  return result;
}

/** Returns the address of the scene's newest still, which may be older than the last edit, or `null` if there is none yet. */
function useStill(sceneId: string): string | null {
  const { projectId } = useProject();
  const stored = useEditorState(({ film }) => film?.stored ?? null);
  const key = useMemo(() => (stored === null ? null : stillKey(stored, sceneId)), [stored, sceneId]);
  // The server would reject requests in all other states.
  const canCapture = useView(
    ({ project, renders }) => project.previewUrl !== null && !project.running && !renders.some(isRunning),
  );
  const { data } = useQuery({
    queryKey: ['still', projectId, sceneId, key],
    queryFn: ({ signal }) =>
      inTurn(async () => {
        signal.throwIfAborted();
        return await filmApi.sceneStill(projectId, sceneId, key ?? '', signal);
      }),
    enabled: key !== null && canCapture,
    staleTime: Number.POSITIVE_INFINITY,
    retry: (_, error) => passingErrors.has(toApiError(error).code),
    retryDelay: (failures) => Math.min(maxRetryDelayMs, 1000 * 1.5 ** failures),
    placeholderData: (before) => before,
  });
  return data ?? null;
}
