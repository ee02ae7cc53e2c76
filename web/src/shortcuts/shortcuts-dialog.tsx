import { texts } from '../texts.ts';
import { Dialog } from '../ui/dialog.tsx';
import { ShortcutList } from './shortcut-list.tsx';

/** The keys of the studio, over whatever is shown. */
export default function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog open title={texts.shortcuts.title} text={texts.shortcuts.text} onClose={onClose}>
      <div className="mt-5">
        <ShortcutList />
      </div>
    </Dialog>
  );
}
