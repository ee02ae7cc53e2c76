import { Check as CheckIcon, Star } from 'lucide-react';
import type { Choice } from '../../model/document.ts';
import { hues } from '../../model/document.ts';
import { Icon } from './icon.tsx';

/** The name of a choice in its hue. With a dot it says a state, without one a kind. */
export function Tag({ choice, dot = false }: { choice: Pick<Choice, 'name' | 'hue'>; dot?: boolean }) {
  return (
    <span className="tag" data-hue={choice.hue}>
      {dot && choice.hue !== 'grey' && <i className="dot" />}
      <span>{choice.name}</span>
    </span>
  );
}

/** Initials on a hue that stays the same for a name. */
export function Avatar({ name, size = 24 }: { name: string; size?: number }) {
  const words = name.split(/\s+/u).filter((word) => word !== '');
  const initials = words
    .slice(0, 2)
    .map((word) => [...word][0])
    .join('');
  let sum = 0;
  for (const letter of name) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 9973;
  const coloured = hues.slice(1);
  return (
    <span
      className="avatar"
      data-hue={coloured[sum % coloured.length]}
      style={{ inlineSize: size, blockSize: size, fontSize: size * 0.42 }}
      aria-hidden="true"
    >
      {initials.toUpperCase()}
    </span>
  );
}

/** The box of a checkbox; the control around it has the role and the state. */
export function CheckMark({ on }: { on: boolean }) {
  return (
    <span className="check" data-on={on} aria-hidden="true">
      <Icon of={CheckIcon} size={12} strokeWidth={3} />
    </span>
  );
}

export function Switch({ on }: { on: boolean }) {
  return <span className="switch" data-on={on} aria-hidden="true" />;
}

export function Stars({ value, size = 14 }: { value: number; size?: number }) {
  return (
    <span className="stars" role="img" aria-label={`${value} of 5`}>
      {[1, 2, 3, 4, 5].map((star) => (
        <Icon key={star} of={Star} size={size} data-on={star <= value} />
      ))}
    </span>
  );
}
