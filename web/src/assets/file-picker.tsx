import type { Ref } from 'react';

interface FilePickerProps {
  ref: Ref<HTMLInputElement>;
  /** As the attribute of the same name has it. */
  accept: string;
  onFiles: (files: File[]) => void;
}

/** The system's way to choose files that may be uploaded; a button elsewhere clicks it. */
export function FilePicker({ ref, accept, onFiles }: FilePickerProps) {
  return (
    <input
      ref={ref}
      type="file"
      multiple
      hidden
      accept={accept}
      onChange={({ currentTarget }) => {
        // Copied at once: the browser empties its own list when the field is cleared, so that a file can be chosen again.
        const files = [...(currentTarget.files ?? [])];
        currentTarget.value = '';
        if (files.length > 0) onFiles(files);
      }}
    />
  );
}
