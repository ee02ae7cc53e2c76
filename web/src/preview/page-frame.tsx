import { type RefObject, useEffect, useRef, useState } from 'react';
import { texts } from '../texts.ts';

interface PageFrameProps {
  ref: RefObject<HTMLIFrameElement | null>;
  address: string;
}

/** The animation's page. Another address is gone to in the same frame, without a step of the browser's history. */
export function PageFrame({ ref, address }: PageFrameProps) {
  const [first] = useState(address);
  const shown = useRef(address);
  useEffect(() => {
    if (shown.current === address) return;
    shown.current = address;
    ref.current?.contentWindow?.location.replace(address);
  }, [ref, address]);
  return (
    <iframe
      ref={ref}
      src={first}
      title={texts.stage.previewFrame}
      sandbox="allow-scripts allow-same-origin"
      allow="autoplay"
      referrerPolicy="no-referrer"
      // The keys are those of the studio, and a film has nothing to click.
      tabIndex={-1}
      // A frame of another scheme than its page is painted over: nothing behind a film would be seen. Films are light.
      style={{ colorScheme: 'light' }}
      className="absolute inset-0 size-full"
    />
  );
}
