import { type RefObject, useEffect, useState } from 'react';

/** Whether an element has a place on the screen now: neither its pane nor the browser's tab is hidden. */
export function useShown(element: RefObject<HTMLElement | null>): boolean {
  const [shown, setShown] = useState(false);
  useEffect(() => {
    const { current } = element;
    if (!current) return;
    const look = () => setShown(!document.hidden && current.clientWidth > 0);
    const sizes = new ResizeObserver(look);
    sizes.observe(current);
    document.addEventListener('visibilitychange', look);
    return () => {
      sizes.disconnect();
      document.removeEventListener('visibilitychange', look);
    };
  }, [element]);
  return shown;
}
