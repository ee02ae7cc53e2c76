import type { ZodType } from 'zod';

export interface StoredTexts {
  read(name: string): string | null;
  /** `null` removes the text. */
  write(name: string, text: string | null): void;
}

const kinds = ['message', 'plan-edits', 'render', 'parameters'] as const;
/** Text stored per project: the unsent message, plan edits, the last render settings, and parameter values. */
export type ProjectText = (typeof kinds)[number];

export const projectTextName = (kind: ProjectText, projectId: string): string => `koda:${kind}:${projectId}`;

/** Returns the project that a stored text belongs to, or `null` if it belongs to none. */
export function projectOfText(name: string): string | null {
  const kind = kinds.find((known) => name.startsWith(projectTextName(known, '')));
  return kind === undefined ? null : name.slice(projectTextName(kind, '').length);
}

/** Parses a stored JSON text with the schema. Returns `null` if it is missing or unreadable. */
export function parseStored<T>(schema: ZodType<T>, text: string | null): T | null {
  try {
    return schema.safeParse(JSON.parse(text ?? 'null')).data ?? null;
  } catch {
    // Not JSON: another program or another version of the studio wrote it.
    return null;
  }
}

/** The browser's storage for the studio. The studio works without it if storage is forbidden or full. */
export const browserStorage: StoredTexts & { names(): string[] } = {
  names() {
    try {
      return Object.keys(window.localStorage);
    } catch {
      return [];
    }
  },
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
      // The user cannot fix it, and the page still holds the text in memory.
    }
  },
};
