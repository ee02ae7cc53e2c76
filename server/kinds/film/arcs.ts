/** The order in which a kind of film shows its formats: those of an earlier stage come first. */
export interface Arc {
  readonly name: string;
  /** Formats that show that a film is of this kind. */
  readonly signs: readonly string[];
  readonly stages: readonly (readonly string[])[];
}

export const arcs: readonly Arc[] = [
  {
    name: 'teaser',
    signs: ['end-card', 'features', 'logo', 'countdown'],
    stages: [['countdown', 'title'], [], ['logo'], ['end-card']],
  },
  { name: 'report', signs: ['bar-chart', 'line-chart', 'number'], stages: [['title'], [], ['end-card']] },
  { name: 'explainer', signs: ['steps', 'code', 'terminal', 'checklist'], stages: [['title'], [], ['end-card']] },
  { name: 'announcement', signs: ['event', 'timeline'], stages: [['title'], [], ['end-card']] },
];
