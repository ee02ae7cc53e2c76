import type { FormatInfo } from '#kinds/film/contract/format-list.ts';
import { FormatChoice, FormatDialog } from '../editor/format-dialog.tsx';

interface AllFormatsProps {
  open: boolean;
  formats: readonly FormatInfo[];
  onChoose: (format: FormatInfo) => void;
  onClose: () => void;
  onCloseAutoFocus: (event: Event) => void;
}

/** Shows every format in the picker, as a starting point for a film. */
export default function AllFormats({ open, formats, onChoose, onClose, onCloseAutoFocus }: AllFormatsProps) {
  return (
    <FormatDialog open={open} onClose={onClose} onCloseAutoFocus={onCloseAutoFocus}>
      {open && (
        <FormatChoice
          title="Start from a format"
          description="Pick a format. Its example fills the prompt box, and you can switch later."
          sections={[{ title: '', entries: formats.map((info) => ({ info, refusal: null })) }]}
          verb="Use"
          action={() => 'Use this format'}
          note={() => 'You can change the example before you create the film.'}
          onChoose={onChoose}
          onClose={onClose}
        />
      )}
    </FormatDialog>
  );
}
