import { fileKind } from './file-kind.ts';
import { MediaPane } from './media-pane.tsx';
import type { FilePaneProps } from './pane-frame.tsx';
import { TextPane } from './text-pane.tsx';

/** One file: its text in the editor, or what else it is. */
export function FilePane(props: FilePaneProps) {
  const kind = fileKind(props.path);
  return kind === 'text' ? <TextPane {...props} /> : <MediaPane {...props} kind={kind} />;
}
