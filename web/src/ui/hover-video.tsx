import { type FocusEvent, type PointerEvent, useEffect, useState } from 'react';
import { useReducedMotion } from './appearance.ts';
import { cx } from './elements.tsx';

/** Time in milliseconds for which the pointer must rest before a video starts. */
const restMs = 140;

/** Returns whether the pointer is over an element or the keyboard has focused it, and the event handlers that track this. */
export function useLooked() {
  const [looked, setLooked] = useState(false);
  const handlers = {
    onPointerEnter: ({ pointerType }: PointerEvent) => setLooked(pointerType === 'mouse'),
    onPointerLeave: () => setLooked(false),
    onFocus: ({ currentTarget }: FocusEvent) => setLooked(currentTarget.matches(':focus-visible')),
    onBlur: () => setLooked(false),
  };
  return { looked, handlers };
}

/** Covers a still with a silent video once it is playing. Nothing plays if the user prefers reduced motion. */
export function HoverVideo({ src }: { src: string }) {
  const reduced = useReducedMotion();
  const [rested, setRested] = useState(false);
  const [moving, setMoving] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setRested(true), restMs);
    return () => clearTimeout(timer);
  }, []);
  if (!rested || reduced) return null;
  return (
    <video
      src={src}
      muted
      loop
      autoPlay
      playsInline
      tabIndex={-1}
      aria-hidden="true"
      onPlaying={() => setMoving(true)}
      className={cx(
        'absolute inset-0 size-full object-contain transition-opacity duration-200',
        moving ? 'opacity-100' : 'opacity-0',
      )}
    />
  );
}
