import { useEffect } from 'react';
import { create } from 'zustand';

/** The list and the order of the records that the page shows, for the sheet's “5 of 15” and for what is pasted. */
export const useShown = create<{ list: string | null; ids: readonly string[] }>(() => ({ list: null, ids: [] }));

/** A view says what it shows. `ids` is the same array until the records or their order change. */
export function useShowing(list: string, ids: readonly string[]): void {
  useEffect(() => {
    useShown.setState({ list, ids });
  }, [list, ids]);
}
