import { useQuery } from '@tanstack/react-query';
import { Download, Play } from 'lucide-react';
import { useContext, useState } from 'react';
import { formatBytes, formatSeconds } from '#contract/display.ts';
import { renderIdSchema } from '#contract/ids.ts';
import { type Render, renderFiles } from '#contract/render.ts';
import { addressOf } from '../address.ts';
import { renderApi } from '../api/client.ts';
import { OriginContext } from '../project/origin.ts';
import { projectHref } from '../router.ts';
import { wantsReducedMotion } from '../ui/appearance.ts';
import { Dialog } from '../ui/dialog.tsx';
import { buttonClass, ErrorNotice, Link } from '../ui/elements.tsx';

/** A finished video of this studio, by the path of its file. */
interface Video {
  readonly id: string;
  readonly path: string;
  readonly picture: string;
  /** Of its file, with the dot. */
  readonly ending: string;
}

const fileNames: ReadonlySet<string> = new Set(Object.values(renderFiles).map(({ name }) => name));

/** Returns the video that a text is the path of. `null` for any other text. */
export function videoAt(text: string): Video | null {
  const [, id = '', file = ''] = /^\/storage\/renders\/([^/]+)\/([^/]+)$/.exec(text) ?? [];
  if (!fileNames.has(file) || !renderIdSchema.safeParse(id).success) return null;
  return { id, path: text, picture: `/storage/renders/${id}/thumbnail.jpg`, ending: file.slice(file.lastIndexOf('.')) };
}

const maxNameCharacters = 80;

/** Returns a surface's name of a video as Koda quotes it: on one line, short, and without quotation marks. */
const quotable = (name: string): string =>
  name
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}“”"]/gu, '')
    .slice(0, maxNameCharacters)
    .replace(/\p{Cs}$/u, '')
    .trim();

/** Returns a name without what systems do not allow in the name of a file. */
const fileName = (name: string): string =>
  name
    .replaceAll(/[<>|*?]/g, '')
    .replaceAll(/[\\/:]/g, '-')
    .replace(/^[.\s]+/, '');

interface OwnVideoProps {
  video: Video;
  /** What the surface calls it. May be empty. */
  name: string;
}

/** Picture of a finished video that plays it, and a button that saves it. */
export function OwnVideo({ video, name }: OwnVideoProps) {
  const [isOpen, setIsOpen] = useState(false);
  const [isMissing, setIsMissing] = useState(false);
  const called = quotable(name);
  const what = called === '' ? 'the video' : `“${called}”`;
  if (isMissing) return <span className="text-[13px] text-ink-2">No longer there</span>;
  return (
    <span className="inline-flex items-center gap-1 align-middle">
      <button
        type="button"
        aria-label={`Play ${what}`}
        title="Play"
        onClick={() => setIsOpen(true)}
        className="group relative grid min-h-11 min-w-11 place-items-center overflow-hidden rounded-md border border-line bg-sunken hover:border-ink-3"
      >
        <img
          src={addressOf(video.picture)}
          alt=""
          loading="lazy"
          onError={() => setIsMissing(true)}
          className="max-h-14 max-w-24 object-contain"
        />
        <span className="absolute right-1 bottom-1 grid size-5 place-items-center rounded-full bg-black/65 text-white transition-transform group-hover:scale-110 motion-reduce:transition-none">
          <Play aria-hidden="true" className="ml-px size-2.5 fill-current" />
        </span>
      </button>
      <SaveLink video={video} called={called} aria-label={`Download ${what}`} title="Download" className={saveClass}>
        <Download aria-hidden="true" className="size-4" />
      </SaveLink>
      {isOpen && <VideoDialog video={video} called={called} onClose={() => setIsOpen(false)} />}
    </span>
  );
}

const saveClass =
  'inline-grid size-9 place-items-center rounded-lg text-ink-2 hover:bg-sunken hover:text-ink pointer-coarse:size-11';

interface SaveLinkProps extends React.ComponentProps<'a'> {
  video: Video;
  called: string;
}

/** Saves the file under its name in the surface, so that the videos of a table differ, else under the one that the server gives it. */
function SaveLink({ video: { path, ending }, called, ...props }: SaveLinkProps) {
  const file = fileName(called);
  return file === '' ? (
    <a href={addressOf(`${path}?download`)} download {...props} />
  ) : (
    <a href={addressOf(path)} download={`${file}${ending}`} {...props} />
  );
}

interface VideoDialogProps {
  video: Video;
  called: string;
  onClose: () => void;
}

/** The dialog is Koda's own: it quotes the surface's name of the video, and takes all else from the render. */
function VideoDialog({ video, called, onClose }: VideoDialogProps) {
  const from = useContext(OriginContext);
  const { data, error } = useQuery({
    queryKey: ['render', video.id],
    queryFn: ({ signal }) => renderApi.get(video.id, signal),
    staleTime: Infinity,
  });
  return (
    <Dialog
      title={called === '' ? 'Video' : `Video “${called}”`}
      text={data === undefined ? 'A finished video of this studio' : factsOf(data)}
      open
      onClose={onClose}
    >
      <div className="mt-4 grid min-h-48 place-items-center overflow-hidden rounded-lg bg-backdrop">
        <Shown video={video} />
      </div>
      {error !== null && <ErrorNotice error={error} className="mt-3" />}
      <div className="mt-4 flex flex-wrap justify-end gap-2">
        {data !== undefined && (
          <Link href={projectHref(data.projectId, from)} className={buttonClass('secondary')}>
            Open its film
          </Link>
        )}
        <SaveLink video={video} called={called} className={buttonClass('primary')}>
          <Download aria-hidden="true" className="size-4" />
          Download
        </SaveLink>
      </div>
    </Dialog>
  );
}

/** Formats “1080×1920, 8 s, 1 MB”. */
function factsOf({ settings: { width, height, durationSeconds }, probe }: Render): string {
  const size = probe === null ? [] : [formatBytes(probe.sizeBytes)];
  return [`${width}×${height}`, formatSeconds(durationSeconds), ...size].join(', ');
}

const playable: ReadonlySet<string> = new Set(['.mp4', '.webm']);
const pictures: ReadonlySet<string> = new Set(['.gif', '.jpg', '.png']);
const shownClass = 'max-h-[60dvh] max-w-full object-contain';

/** Browsers play neither ProRes nor a zip of frames, so those show one of their frames. */
function Shown({ video: { path, picture, ending } }: { video: Video }) {
  if (!playable.has(ending))
    return <img src={addressOf(pictures.has(ending) ? path : picture)} alt="The video" className={shownClass} />;
  return (
    <video
      src={addressOf(path)}
      poster={addressOf(picture)}
      aria-label="The video"
      controls
      autoPlay={!wantsReducedMotion()}
      muted
      loop
      playsInline
      className={shownClass}
    />
  );
}
