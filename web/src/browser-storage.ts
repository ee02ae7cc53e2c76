/** Texts by name that outlive the page. */
export interface KeptTexts {
  read(name: string): string | null;
  /** Null forgets it. */
  write(name: string, text: string | null): void;
}

/** What this browser keeps for the studio. Where it keeps nothing (forbidden, full), the page works on without. */
export const browserStorage: KeptTexts = {
  read(name) {
    try {
      return window.localStorage.getItem(name);
    } catch {
      return null;
    }
  },
  write(name, text) {
    try {
      if (text === null) window.localStorage.removeItem(name);
      else window.localStorage.setItem(name, text);
    } catch {
      // Nobody can do anything about it, and what was to be kept is still on the page.
    }
  },
};
