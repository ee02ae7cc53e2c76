import { useMutation } from '@tanstack/react-query';
import { AudioLines, FolderOpen, Trash2, Type, Upload } from 'lucide-react';
import { useRef, useState } from 'react';
import type { Asset } from '../../../server/contract/project.ts';
import { api } from '../api/client.ts';
import { formatBytes } from '../format.ts';
import { useProject, useView } from '../project/context.ts';
import { texts } from '../texts.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { cx } from '../ui/class-names.ts';
import { Empty } from '../ui/empty.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { Spinner } from '../ui/spinner.tsx';

export function AssetsView() {
  const { projectId, handle } = useProject();
  const assets = useView((view) => view.assets);
  const picker = useRef<HTMLInputElement>(null);
  const [dragging, setDragging] = useState(false);
  const upload = useMutation({
    mutationFn: async (files: readonly File[]) => {
      for (const file of files) handle.addAsset(await api.uploadAsset(projectId, file));
    },
  });
  const remove = useMutation({
    mutationFn: (assetId: string) => api.deleteAsset(projectId, assetId),
    onSuccess: (_, assetId) => handle.removeAsset(assetId),
  });
  const failed = upload.isError ? upload : remove.isError ? remove : null;
  const pick = (
    <Button onClick={() => picker.current?.click()} disabled={upload.isPending}>
      {upload.isPending ? <Spinner /> : <Upload aria-hidden="true" className="size-4" />}
      {texts.composer.attach}
    </Button>
  );
  return (
    <section
      aria-label={texts.stage.tabs.assets}
      onDragOver={(event) => {
        event.preventDefault();
        setDragging(true);
      }}
      onDragLeave={() => setDragging(false)}
      onDrop={(event) => {
        event.preventDefault();
        setDragging(false);
        upload.mutate([...event.dataTransfer.files]);
      }}
      className={cx('h-full overflow-y-auto px-4 py-6 sm:px-8', dragging && 'bg-accent-soft')}
    >
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        accept="image/*,audio/*,.ttf,.otf,.woff,.woff2"
        onChange={(event) => {
          upload.mutate([...(event.target.files ?? [])]);
          event.target.value = '';
        }}
      />
      {failed && <ErrorNotice error={failed.error} onDismiss={() => failed.reset()} />}
      {assets.length === 0 ? (
        <Empty icon={<FolderOpen />} title={texts.stage.noAssetsTitle} text={texts.stage.noAssetsText}>
          {pick}
        </Empty>
      ) : (
        <>
          <div className="mb-4 flex items-center justify-between gap-4">
            <p className="text-[13px] text-ink-2">{texts.stage.assetsHint}</p>
            {pick}
          </div>
          <ul className="grid grid-cols-[repeat(auto-fill,minmax(150px,1fr))] gap-4">
            {assets.map((asset) => (
              <AssetCard key={asset.id} asset={asset} projectId={projectId} onDelete={() => remove.mutate(asset.id)} />
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

function AssetCard({ asset, projectId, onDelete }: { asset: Asset; projectId: string; onDelete: () => void }) {
  return (
    <li className="group relative min-w-0">
      <div className="flex aspect-[4/3] items-center justify-center overflow-hidden rounded-xl border border-line bg-sunken text-ink-3">
        {asset.kind === 'image' && (
          <img src={api.assetUrl(projectId, asset.id)} alt="" className="size-full object-contain p-2" />
        )}
        {asset.kind === 'audio' && <AudioLines aria-hidden="true" className="size-6" />}
        {asset.kind === 'font' && <Type aria-hidden="true" className="size-6" />}
      </div>
      <p className="mt-1.5 truncate pr-8 text-[13px]" title={asset.name}>
        {asset.name}
      </p>
      <p className="text-ink-3 text-xs">
        {formatBytes(asset.sizeBytes)}
        {asset.width !== null && asset.height !== null && ` · ${asset.width}×${asset.height}`}
      </p>
      <IconButton
        label={texts.stage.deleteAsset(asset.name)}
        onClick={onDelete}
        className="absolute right-0 bottom-1 opacity-0 focus-visible:opacity-100 group-hover:opacity-100 pointer-coarse:opacity-100"
      >
        <Trash2 className="size-4" />
      </IconButton>
    </li>
  );
}
