import { Dialog } from '../ui/dialog.tsx';
import { ShortcutList } from './shortcut-list.tsx';

/** The keys of the studio, over whatever is shown. */
export default function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog open title="Keyboard shortcuts" text="Keys work while no text is being written." onClose={onClose}>
      <div className="mt-5">
        <ShortcutList />
      </div>
    </Dialog>
  );
}
