import { useQuery } from '@tanstack/react-query';
import { FolderOpen, Upload } from 'lucide-react';
import { useRef } from 'react';
import type { ToolName } from '#contract/tools.ts';
import { type UploadType, uploadTypes } from '#contract/uploads.ts';
import { api } from '../api/client.ts';
import { useProject, useView } from '../project/context.ts';
import { insertIntoMessage } from '../project/workbench.ts';
import { Button, Empty } from '../ui/elements.tsx';
import { deleteWithUndo, usePendingDeletes } from '../ui/toasts.tsx';
import { FileDrop, FilePicker, usePastedFiles } from '../uploads/file-input.tsx';
import { acceptedFiles, useUploads } from '../uploads/upload.ts';
import { UploadRows } from '../uploads/upload-rows.tsx';
import { AssetCard } from './asset-card.tsx';

const megabytesOf = ({ maxBytes }: UploadType) => `${Math.floor(maxBytes / 1024 / 1024)}\u00A0MB`;
const limits = `Up to ${megabytesOf(uploadTypes.png)} per image, ${megabytesOf(uploadTypes.mp3)} per audio file, ${megabytesOf(uploadTypes.woff2)} per font.`;

/** Shows the project's uploads, newest first. Accepts new ones by button, drop and paste. */
export default function AssetsView() {
  const { projectId, handle } = useProject();
  const { queue, items } = useUploads();
  const pending = usePendingDeletes();
  const known = useView((view) => view.assets);
  const assets = known.filter(({ id }) => !pending.has(id)).toSorted((a, b) => b.at.localeCompare(a.at));
  const picker = useRef<HTMLInputElement>(null);
  useAssetsFromElsewhere();
  usePastedFiles({
    onFiles: (files) => queue.add(files, 'assets'),
    // Text fields have their own paste handling.
    from: (target) => !target?.closest('input, textarea, [contenteditable]'),
  });

  const pick = (
    <Button icon={Upload} onClick={() => picker.current?.click()}>
      Add files
    </Button>
  );
  return (
    <FileDrop onFiles={(files) => queue.add(files, 'assets')} className="h-full">
      <section aria-label="Assets" className="flex h-full flex-col gap-4 overflow-y-auto px-4 py-5 sm:px-6">
        <FilePicker ref={picker} accept={acceptedFiles} onFiles={(files) => queue.add(files, 'assets')} />
        <UploadRows items={items} queue={queue} />
        {assets.length === 0 && items.length === 0 ? (
          <Empty
            icon={<FolderOpen />}
            title="No files yet"
            text={`Add, drop or paste images, audio and fonts. Then mention them in a message. ${limits}`}
          >
            {pick}
          </Empty>
        ) : (
          <>
            <div className="flex items-center justify-between gap-4">
              <p className="text-[13px] text-ink-2">
                Images, audio and fonts for your film. Drop or paste them here. <span className="text-ink-3">{limits}</span>
              </p>
              {pick}
            </div>
            <ul
              aria-label="Files"
              className="grid grid-cols-[repeat(auto-fill,minmax(170px,1fr))] gap-3 sm:grid-cols-[repeat(auto-fill,minmax(200px,1fr))]"
            >
              {assets.map((asset) => (
                <AssetCard
                  key={asset.id}
                  asset={asset}
                  projectId={projectId}
                  onInsert={() => insertIntoMessage(asset.name)}
                  onDelete={() =>
                    deleteWithUndo(asset.id, {
                      name: asset.name,
                      run: ({ leaving }) =>
                        leaving
                          ? fetch(api.assetUrl(projectId, asset.id), { method: 'DELETE', keepalive: true })
                          : api.deleteAsset(projectId, asset.id),
                      onDeleted: () => handle.removeAsset(asset.id),
                    })
                  }
                />
              ))}
            </ul>
          </>
        )}
      </section>
    </FileDrop>
  );
}

const makingTools: ReadonlySet<string> = new Set<ToolName>(['generate_image', 'generate_audio']);

/** No event reports uploads from other tabs, so this refetches them when the tab gets the focus, and after a tool has made one. */
function useAssetsFromElsewhere(): void {
  const { projectId, handle } = useProject();
  const lastMade = useView(
    ({ tools }) => tools.findLast(({ name, durationMs }) => makingTools.has(name) && durationMs !== null)?.callId ?? null,
  );
  useQuery({
    queryKey: ['assets', projectId, lastMade],
    async queryFn({ signal }) {
      const known = () => handle.store.getState().view?.assets;
      const before = known();
      const { items } = await api.listAssets(projectId, signal);
      // A local change during the request is newer than its response.
      if (known() === before) handle.setAssets(items);
      return items.length;
    },
  });
}
