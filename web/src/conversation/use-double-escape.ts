import { useEffect, useRef, useState } from 'react';

/** Two presses within this time are one order. */
const withinMs = 1500;

/** Calls `act` when Escape is pressed twice in a row; true between the presses. An Escape that closes something does not count. */
export function useDoubleEscape(act: () => void, enabled: boolean): boolean {
  const [armed, setArmed] = useState(false);
  const current = useRef(act);
  useEffect(() => {
    current.current = act;
  });
  useEffect(() => {
    if (!armed) return;
    const timer = setTimeout(() => setArmed(false), withinMs);
    return () => clearTimeout(timer);
  }, [armed]);
  useEffect(() => {
    if (!enabled) return;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented || event.repeat || event.isComposing) return;
      // A dialog that is open takes it.
      if (document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"]')) return;
      setArmed(!armed);
      if (armed) current.current();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [armed, enabled]);
  return armed && enabled;
}
