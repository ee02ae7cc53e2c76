export interface StartProps {
  /** Height of the gallery. */
  readonly rows: number;
  /** Rows that were pasted for another kind and belong into this request. `null` if there are none. */
  readonly handedOver: string | null;
  /** Called once `handedOver` is in the request. */
  readonly onTaken: () => void;
  /** Offers pasted rows to the other kinds. `takeBack` removes them from this request. */
  readonly onRows: (text: string, takeBack: () => void) => void;
}
