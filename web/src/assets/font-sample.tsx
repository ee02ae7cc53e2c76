import { Type } from 'lucide-react';
import { useEffect, useState } from 'react';
import { texts } from '../texts.ts';
import { Spinner } from '../ui/spinner.tsx';

/**
 * A few letters in a font that was uploaded. The browser checks fonts before it uses them, as it does pictures; the family
 * has a name that nothing else on the page asks for, so that it can draw nothing but these letters.
 */
export function FontSample({ family, url }: { family: string; url: string }) {
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
      {texts.assets.fontSample}
    </p>
  );
}
