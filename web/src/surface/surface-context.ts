import { createContext, type ReactNode, useContext } from 'react';
import type { Drawn, Scope } from '#contract/surface/drawing.ts';
import { type SurfaceActionMessage, type SurfaceVersion, storedVersion } from '#contract/surface/surface.ts';

/** State shared by a surface's components. */
export interface SurfaceContext {
  readonly data: unknown;
  readonly busy: boolean;
  /** Whether all problems are shown, because a button was pressed, and not only those of fields that were visited. */
  readonly checked: boolean;
  /** Whether a field is required, so that the others are marked as optional. */
  readonly hasRequired: boolean;
  /** The field that takes the focus. Another object asks again. */
  readonly goal: { readonly key: string } | null;
  /** Focuses the goal, once. Called by its field, which may first have to be drawn. */
  readonly reach: () => void;
  /** Links to the fields to correct, drawn before the component with the key `listBefore`. */
  readonly problemList: ReactNode;
  readonly listBefore: string | null;
  readonly idOf: (key: string) => string;
  /** `path` is absolute. */
  readonly onData: (path: string, value: unknown) => void;
  /** Returns whether the surface may be sent. If not, it shows the problems and focuses the first one. */
  readonly mayPress: (button: Drawn) => boolean;
  readonly onAction: (action: PressedAction) => void;
}

export interface PressedAction {
  readonly name: string;
  readonly sourceComponentId: string;
  readonly context: Readonly<Record<string, unknown>>;
  /** Version in which the surface was created. */
  readonly version?: SurfaceVersion;
}

export const SurfaceContextHolder = createContext<SurfaceContext | null>(null);

export function useSurfaceContext(): SurfaceContext {
  const context = useContext(SurfaceContextHolder);
  if (context === null) throw new Error('A surface component was drawn outside a surface.');
  return context;
}

export function useScope(row: string): Scope {
  const { data } = useSurfaceContext();
  return { data, row };
}

/** Returns whether a drawn component is `key` or contains it. */
export const contains = (drawn: Drawn, key: string): boolean => drawn.key === key || key.startsWith(`${drawn.key}/`);

/** Converts a button press to A2UI's action message, in the version of the surface. */
export function actionOf(surfaceId: string, pressed: PressedAction): SurfaceActionMessage {
  const { name, sourceComponentId, context, version = storedVersion } = pressed;
  return {
    version,
    action: { name, surfaceId, sourceComponentId, timestamp: new Date().toISOString(), context: { ...context } },
  };
}
