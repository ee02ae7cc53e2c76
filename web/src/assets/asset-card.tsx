import { ImageOff, MessageSquarePlus, Trash2, Type } from 'lucide-react';
import { useEffect, useState } from 'react';
import { formatBytes } from '../../../server/contract/format.ts';
import type { Asset } from '../../../server/contract/project.ts';
import { api } from '../api/client.ts';
import { IconButton } from '../ui/button.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { AudioTile } from './audio-tile.tsx';

/**
 * A few letters in a font that was uploaded. The browser checks fonts before it uses them, as it does pictures; the family
 * has a name that nothing else on the page asks for, so that it can draw nothing but these letters.
 */
function FontSample({ family, url }: { family: string; url: string }) {
  const [state, setState] = useState<'loading' | 'ready' | 'failed'>('loading');
  useEffect(() => {
    const face = new FontFace(family, `url("${url}")`);
    let left = false;
    const tell = (next: typeof state) => {
      if (!left) setState(next);
    };
    document.fonts.add(face);
    face.load().then(
      () => tell('ready'),
      () => tell('failed'),
    );
    return () => {
      left = true;
      document.fonts.delete(face);
    };
  }, [family, url]);
  if (state === 'loading') return <Spinner className="text-ink-3" />;
  if (state === 'failed') return <Type aria-hidden="true" className="size-6 text-ink-3" />;
  return (
    <p
      aria-hidden="true"
      style={{ fontFamily: `"${family}"` }}
      className="max-h-full overflow-hidden wrap-anywhere p-3 text-center text-ink text-xl leading-7"
    >
      Hamburgefonstiv 0123
    </p>
  );
}

const kindNames: Record<Asset['kind'], string> = { image: 'Image', audio: 'Audio', font: 'Font' };

interface AssetCardProps {
  asset: Asset;
  projectId: string;
  onInsert: () => void;
  onDelete: () => void;
}

/** An upload as it looks or sounds, with what it is. */
export function AssetCard({ asset, projectId, onInsert, onDelete }: AssetCardProps) {
  const { name, kind, sizeBytes, width, height } = asset;
  const facts = [formatBytes(sizeBytes), width !== null && height !== null ? `${width}×${height}` : null, kindNames[kind]];
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
        <IconButton label={`Insert ${name} into the message`} onClick={onInsert}>
          <MessageSquarePlus className="size-4" />
        </IconButton>
        <IconButton label={`Delete ${name}`} onClick={onDelete}>
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
