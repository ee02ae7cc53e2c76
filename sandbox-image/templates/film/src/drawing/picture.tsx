import { type CSSProperties, useEffect } from 'react';
import { holdReady, loadImage } from '../stage/loading.ts';

export function Picture({ src, style }: { readonly src: string; readonly style: CSSProperties }) {
  useEffect(() => void holdReady(loadImage(src)), [src]);
  return <img alt="" src={`.${src}`} style={{ display: 'block', ...style }} />;
}
