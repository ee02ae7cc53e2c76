interface FieldLimits {
  readonly min: number;
  readonly max: number;
  /** Counted unit. `null` if the limit applies to the value of a number. */
  readonly unit: 'characters' | 'entries' | null;
}

/** Describes the limit that a field of a scene violates, for forms and for errors. Returns `null` if it is within its limits. */
export function limitText({ min, max, unit }: FieldLimits, amount: number): string | null {
  if (amount > max) {
    const most = `At most ${max.toLocaleString('en')}`;
    return unit === null ? `${most}.` : `${most} ${unit}. ${amount - max} too many.`;
  }
  if (amount >= min) return null;
  if (unit === 'characters') return 'This text cannot be empty.';
  return unit === 'entries' && min === 1 ? 'At least 1 entry.' : `At least ${min}${unit === null ? '' : ` ${unit}`}.`;
}
