import { useEffect, useRef } from 'react';
import { toast } from '../../../../ui/toasts.tsx';
import type { Draft } from '../idea.ts';
import { requestText } from '../request-text.ts';
import type { Corrections } from './corrections.ts';

/** A correction that can be undone or redone, and the text in which it was made. */
interface Step {
  readonly text: string;
  readonly to: Corrections;
}

interface UseCorrectionsOptions {
  readonly draft: Draft;
  readonly onChange: (part: Partial<Draft>) => void;
  /** Says how many scenes there are, as soon as the corrected text is read. */
  readonly isRead: boolean;
  readonly scenes: number;
}

/**
 * Makes corrections, and undoes them in the order in which they and the typing happened: a step is next if the text is the one
 * in which it was made. Otherwise, typing came later, which the browser undoes.
 */
export function useCorrections({ draft, onChange, isRead, scenes }: UseCorrectionsOptions) {
  const undos = useRef<Step[]>([]);
  const redos = useRef<Step[]>([]);
  const said = useRef<string | null>(null);
  const removeToast = useRef<() => void>(() => undefined);
  const now: Corrections = { corrections: draft.corrections, choices: draft.choices, order: draft.order };
  const text = requestText(draft);

  const set = ({ corrections, choices, order }: Corrections) =>
    onChange({ corrections: [...corrections], choices: [...choices], order: [...order] });
  const step = (from: Step[], to: Step[]): boolean => {
    const last = from.at(-1);
    if (last === undefined || last.text !== text) return false;
    from.pop();
    to.push({ text, to: now });
    removeToast.current();
    said.current = null;
    set(last.to);
    return true;
  };
  const undo = () => step(undos.current, redos.current);
  const redo = () => step(redos.current, undos.current);
  /** `verb` says what was done: “Left out.” */
  const correct = (to: Corrections, verb: string) => {
    undos.current.push({ text, to: now });
    redos.current = [];
    said.current = verb;
    set(to);
  };

  const undoNow = useRef(undo);
  useEffect(() => {
    undoNow.current = undo;
  });
  useEffect(() => {
    if (!isRead || said.current === null) return;
    removeToast.current();
    const film = scenes === 0 ? 'No scene is left.' : `The film has ${scenes === 1 ? '1 scene' : `${scenes} scenes`} now.`;
    removeToast.current = toast(`${said.current} ${film}`, {
      action: { label: 'Undo', run: () => void undoNow.current() },
    });
    said.current = null;
  }, [isRead, scenes]);
  return { now, text, correct, undo, redo, canUndo: undos.current.at(-1)?.text === text };
}
