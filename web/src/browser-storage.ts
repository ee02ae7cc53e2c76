import type { ZodType } from 'zod';

/** Stored texts by name. */
export interface KeptTexts {
  read(name: string): string | null;
  /** Null forgets it. */
  write(name: string, text: string | null): void;
}

const kinds = ['message', 'plan-edits', 'render', 'parameters'] as const;
/** What is stored for one project: the unsent message, edits of its plan, its last render settings, and what was entered for its parameters. */
export type ProjectText = (typeof kinds)[number];

/** The name of a project's text. */
export const projectTextName = (kind: ProjectText, projectId: string): string => `koda:${kind}:${projectId}`;

/** The project that a text belongs to; null when it belongs to none. */
export function projectOfText(name: string): string | null {
  const kind = kinds.find((known) => name.startsWith(projectTextName(known, '')));
  return kind === undefined ? null : name.slice(projectTextName(kind, '').length);
}

/** A stored JSON text as the schema has it; null when there is none, or it is unreadable. */
export function parseStored<T>(schema: ZodType<T>, text: string | null): T | null {
  try {
    return schema.safeParse(JSON.parse(text ?? 'null')).data ?? null;
  } catch {
    // It is no JSON: another program wrote it, or another version of this page.
    return null;
  }
}

/** What this browser stores for the studio. Where storage is forbidden or full, the page works without. */
export const browserStorage: KeptTexts & { names(): string[] } = textsIn(() => window.localStorage);

/** What the browser stores for this tab alone, until it is closed. */
export const sessionTexts: KeptTexts = textsIn(() => window.sessionStorage);

/** Reading `window.localStorage` itself throws where storage is forbidden. */
function textsIn(storage: () => Storage): KeptTexts & { names(): string[] } {
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
        // The user cannot fix it, and the page still holds what it tried to store.
      }
    },
  };
}
