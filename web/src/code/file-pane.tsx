import { Download, ImageOff } from 'lucide-react';
import { useState } from 'react';
import { filesApi } from '../api/files.ts';
import { useProject, useView } from '../project/context.ts';
import { Empty } from '../ui/elements.tsx';
import { fileKind } from './file-kind.ts';
import { type FilePaneProps, PaneFrame } from './pane-frame.tsx';
import { TextPane } from './text-pane.tsx';

/** Shows one file: text in the editor, media in a player, or a download link. */
export function FilePane(props: FilePaneProps) {
  const kind = fileKind(props.path);
  return kind === 'text' ? <TextPane {...props} /> : <MediaPane {...props} kind={kind} />;
}

function MediaPane({ workspace, path, kind, onDelete }: FilePaneProps & { kind: 'image' | 'audio' | 'video' }) {
  const { projectId } = useProject();
  // Changes with the file's version, so that the browser loads the file again.
  const version = useView((view) => `${view.filesVersion}-${view.files[path]?.version ?? 0}`);
  const url = `${filesApi.url(projectId, path)}?version=${version}`;
  return (
    <PaneFrame workspace={workspace} path={path} onDelete={onDelete} actions={<DownloadLink path={path} />}>
      <section aria-label="Code" className="flex min-h-0 flex-1 flex-col items-center justify-center gap-3 overflow-auto p-6">
        {kind === 'image' && <ImageView key={url} url={url} path={path} />}
        {/* biome-ignore lint/a11y/useMediaCaption: a piece of a project, which has no captions. */}
        {kind === 'audio' && <audio key={url} src={url} controls aria-label={path} className="w-full max-w-120" />}
        {/* biome-ignore lint/a11y/useMediaCaption: a piece of a project, which has no captions. */}
        {kind === 'video' && <video key={url} src={url} controls aria-label={path} className="max-h-full max-w-full" />}
      </section>
    </PaneFrame>
  );
}

/** Shows which parts of an image are transparent. */
const checkerboard = {
  backgroundImage: 'conic-gradient(var(--sunken) 25%, transparent 0 50%, var(--sunken) 0 75%, transparent 0)',
  backgroundSize: '20px 20px',
};

function ImageView({ url, path }: { url: string; path: string }) {
  const [size, setSize] = useState<{ width: number; height: number } | null>(null);
  const [broken, setBroken] = useState(false);
  if (broken) return <Empty icon={<ImageOff />} title="This image cannot be shown." />;
  return (
    <>
      <img
        src={url}
        alt={`Image: ${path}`}
        onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) => setSize({ width, height })}
        onError={() => setBroken(true)}
        className="min-h-0 max-w-full rounded-lg border border-line object-contain"
        style={checkerboard}
      />
      <p className="shrink-0 text-ink-2 text-xs tabular-nums">{size ? `${size.width} × ${size.height} px` : '\u00a0'}</p>
    </>
  );
}

/** Downloads the file. The browser never opens it as a page. */
function DownloadLink({ path }: { path: string }) {
  const { projectId } = useProject();
  return (
    <a
      href={filesApi.url(projectId, path)}
      download={path.slice(path.lastIndexOf('/') + 1)}
      aria-label="Download"
      title="Download"
      className="inline-flex size-8 shrink-0 items-center justify-center rounded-lg text-ink-2 transition-colors hover:bg-sunken hover:text-ink"
    >
      <Download className="size-4" />
    </a>
  );
}
