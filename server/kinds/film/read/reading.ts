/** A part of a request: characters from `start` up to but not including `end`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** What a request contains, before any format has looked at it. */
export interface Reading {
  readonly text: string;
}
