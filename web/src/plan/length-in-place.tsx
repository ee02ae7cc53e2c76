import { formatSeconds } from '../../../server/contract/format.ts';
import { parseTime } from '../time-text.ts';
import { TextInPlace } from './text-in-place.tsx';

interface LengthInPlaceProps {
  label: string;
  seconds: number;
  /** Of the film: a length may be written in frames. */
  fps: number;
  editing: boolean;
  onEdit: () => void;
  /** Only called with what can be read as a length. */
  onCommit: (seconds: number) => void;
  onEnd: () => void;
  className?: string;
}

/** A length that can be written over, in seconds or frames. */
export function LengthInPlace({ seconds, fps, onCommit, ...props }: LengthInPlaceProps) {
  return (
    <TextInPlace
      {...props}
      inline
      value={formatSeconds(seconds)}
      placeholder=""
      maxCharacters={12}
      onCommit={(text) => {
        const read = parseTime(text, fps);
        if (read !== null && read > 0) onCommit(read);
      }}
    />
  );
}
