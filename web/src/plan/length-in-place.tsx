import { formatSeconds } from '../format.ts';
import { parseSeconds } from './plan-edits.ts';
import { TextInPlace } from './text-in-place.tsx';

interface LengthInPlaceProps {
  label: string;
  seconds: number;
  editing: boolean;
  onEdit: () => void;
  /** Only called with what can be read as a length. */
  onCommit: (seconds: number) => void;
  onEnd: () => void;
  className?: string;
}

/** A length in seconds that can be written over. */
export function LengthInPlace({ seconds, onCommit, ...props }: LengthInPlaceProps) {
  return (
    <TextInPlace
      {...props}
      inline
      value={formatSeconds(seconds)}
      placeholder=""
      maxCharacters={12}
      onCommit={(text) => {
        const read = parseSeconds(text);
        if (read !== null) onCommit(read);
      }}
    />
  );
}
