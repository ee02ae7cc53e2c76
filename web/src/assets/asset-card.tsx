import { ImageOff, MessageSquarePlus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { formatBytes } from '../../../server/contract/format.ts';
import type { Asset } from '../../../server/contract/project.ts';
import { api } from '../api/client.ts';
import { texts } from '../texts.ts';
import { IconButton } from '../ui/button.tsx';
import { AudioTile } from './audio-tile.tsx';
import { FontSample } from './font-sample.tsx';

interface AssetCardProps {
  asset: Asset;
  projectId: string;
  onInsert: () => void;
  onDelete: () => void;
}

/** An upload as it looks or sounds, with what it is. */
export function AssetCard({ asset, projectId, onInsert, onDelete }: AssetCardProps) {
  const { name, kind, sizeBytes, width, height } = asset;
  const facts = [
    formatBytes(sizeBytes),
    width !== null && height !== null ? `${width}×${height}` : null,
    texts.assets.kinds[kind],
  ];
  return (
    <li className="flex min-w-0 flex-col overflow-hidden rounded-xl border border-line bg-panel">
      <div className="flex aspect-[4/3] items-center justify-center overflow-hidden border-line border-b bg-sunken">
        <Look asset={asset} url={api.assetUrl(projectId, asset.id)} />
      </div>
      <div className="flex items-center gap-0.5 py-1.5 pr-1.5 pl-3">
        <div className="min-w-0 flex-1">
          <p className="truncate font-medium text-[13px]" title={name}>
            {name}
          </p>
          <p className="truncate text-ink-3 text-xs tabular-nums">{facts.filter(Boolean).join(' · ')}</p>
        </div>
        <IconButton label={texts.assets.insert(name)} onClick={onInsert}>
          <MessageSquarePlus className="size-4" />
        </IconButton>
        <IconButton label={texts.assets.delete(name)} onClick={onDelete}>
          <Trash2 className="size-4" />
        </IconButton>
      </div>
    </li>
  );
}

function Look({ asset, url }: { asset: Asset; url: string }) {
  switch (asset.kind) {
    case 'image':
      return <Picture url={url} />;
    case 'audio':
      return <AudioTile name={asset.name} url={url} />;
    case 'font':
      return <FontSample family={asset.id} url={url} />;
  }
}

function Picture({ url }: { url: string }) {
  const [failed, setFailed] = useState(false);
  if (failed) return <ImageOff aria-hidden="true" className="size-6 text-ink-3" />;
  return <img src={url} alt="" loading="lazy" onError={() => setFailed(true)} className="size-full object-contain p-2" />;
}
