import { Button } from '../ui/button.tsx';

const keys = [
  { label: 'Esc', name: 'Escape', input: '\u001b' },
  { label: 'Tab', name: 'Tab', input: '\t' },
  { label: '^C', name: 'Interrupt', input: '\u0003' },
  { label: '↑', name: 'Up', input: '\u001b[A' },
  { label: '↓', name: 'Down', input: '\u001b[B' },
] as const;

/** Keys that the keyboard of a phone does not have. */
export function SoftKeys({ onKey }: { onKey: (input: string) => void }) {
  return (
    <div className="hidden shrink-0 gap-1.5 border-line border-t px-3 py-1.5 pointer-coarse:flex">
      {keys.map(({ label, name, input }) => (
        <Button
          key={name}
          size="sm"
          aria-label={name}
          // The focus stays in the terminal, and with it the keyboard on the screen.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onKey(input)}
          className="flex-1 font-mono"
        >
          {label}
        </Button>
      ))}
    </div>
  );
}
