import { MergeView } from '@codemirror/merge';
import type { ChangeSet } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import { editorSetup, readOnlyText, restoreArrow } from './editor-setup.ts';
import { linesOf, type OpenDocument } from './open-document.ts';

interface HostProps {
  document: OpenDocument;
  locked: boolean;
}

/** Shows the document's editor, with inline differences if `original` is set. */
export function EditorHost({ document, original, locked }: HostProps & { original: string | null }) {
  const box = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is locked has no buttons that change it.
  useEffect(() => {
    if (original === null) return;
    document.compare(original);
    return () => document.compare(null);
  }, [document, original, locked]);
  useEffect(() => (box.current ? document.attach(box.current) : undefined), [document]);
  return <div ref={box} className="h-full" />;
}

/** Shows the original on the left and the editable document on the right. Both editors are destroyed together. */
export function SplitHost({ document, original, locked }: HostProps & { original: string }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!box.current) return;
    const { path } = document;
    const onSave = () => void document.save();
    let passingOn = false;
    const passOn = (view: EditorView, changes: ChangeSet) => {
      if (passingOn) return;
      passingOn = true;
      view.dispatch({ changes });
      passingOn = false;
    };
    const merge = new MergeView({
      parent: box.current,
      a: {
        doc: linesOf(original),
        extensions: [editorSetup({ path, label: `Earlier text of ${path}`, onSave }), readOnlyText],
      },
      b: {
        doc: document.view.state.doc,
        extensions: [
          editorSetup({ path, label: `Text of ${path}`, onSave }),
          locked ? readOnlyText : [],
          EditorView.updateListener.of((update) => {
            if (update.docChanged) passOn(document.view, update.changes);
          }),
        ],
      },
      gutter: true,
      collapseUnchanged: { margin: 3, minSize: 8 },
      ...(locked ? {} : { revertControls: 'a-to-b' as const, renderRevertControl: restoreArrow }),
    });
    const unlisten = document.listen((update) => {
      if (update.docChanged) passOn(merge.b, update.changes);
    });
    return () => {
      unlisten();
      merge.destroy();
    };
  }, [document, original, locked]);
  return <div ref={box} className={splitClass} />;
}

const splitClass = [
  'h-full overflow-auto [&_.cm-mergeView]:min-h-full [&_.cm-mergeViewEditors]:min-h-full',
  // Column of buttons between the editors.
  '[&_.cm-merge-revert]:w-8 [&_.cm-merge-revert]:border-line [&_.cm-merge-revert]:border-x',
  '[&_.cm-merge-revert_button]:left-1/2 [&_.cm-merge-revert_button]:size-6 [&_.cm-merge-revert_button]:-translate-x-1/2',
  '[&_.cm-merge-revert_button]:rounded-md [&_.cm-merge-revert_button]:text-ink-2 [&_.cm-merge-revert_button]:hover:bg-sunken',
].join(' ');
