import type { ZodType } from 'zod';

export interface StoredTexts {
  read(name: string): string | null;
  write(name: string, text: string | null): void;
}

const kinds = ['message', 'files', 'plan-edits', 'render', 'parameters'] as const;
/** Text stored per project: the unsent message and its files, plan edits of earlier releases, the last render settings, and parameter values. */
export type ProjectText = (typeof kinds)[number];

export const projectTextName = (kind: ProjectText, projectId: string): string => `koda:${kind}:${projectId}`;

/** Returns the project that a stored text belongs to, or `null` if there is none. */
export function projectOfText(name: string): string | null {
  const kind = kinds.find((known) => name.startsWith(projectTextName(known, '')));
  return kind === undefined ? null : name.slice(projectTextName(kind, '').length);
}

/** Parses stored JSON using the schema. Returns `null` if it is missing or unreadable. */
export function parseStored<T>(schema: ZodType<T>, text: string | null): T | null {
  try {
    return schema.safeParse(JSON.parse(text ?? 'null')).data ?? null;
  } catch {
    // The text is not JSON, so another program or another version of the studio has written it.
    return null;
  }
}

/** Browser storage for the studio. If storage is forbidden or full, the page works without it. */
export const browserStorage: StoredTexts & { names(): string[] } = textsIn(() => window.localStorage);

/** Storage for this tab alone, until it is closed. */
export const sessionTexts: StoredTexts = textsIn(() => window.sessionStorage);

/** Reading `window.localStorage` itself throws if storage is forbidden. */
function textsIn(storage: () => Storage): StoredTexts & { names(): string[] } {
  return {
    names() {
      try {
        return Object.keys(storage());
      } catch {
        return [];
      }
    },
    read(name) {
      try {
        return storage().getItem(name);
      } catch {
        return null;
      }
    },
    write(name, text) {
      try {
        if (text === null) storage().removeItem(name);
        else storage().setItem(name, text);
      } catch {
        // The error is ignored: the user cannot fix it, and the page still has the text in memory.
      }
    },
  };
}
