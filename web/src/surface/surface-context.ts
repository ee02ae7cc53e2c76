import { createContext, useContext } from 'react';
import type { Scope } from '#contract/surface/drawing.ts';
import type { SurfaceAction } from '#contract/surface/surface.ts';

/** State shared by a surface's components. */
export interface SurfaceContext {
  readonly data: unknown;
  readonly busy: boolean;
  /** `path` is absolute. */
  readonly onData: (path: string, value: unknown) => void;
  readonly onAction: (action: PressedAction) => void;
}

export interface PressedAction {
  readonly name: string;
  readonly sourceComponentId: string;
  readonly context: Readonly<Record<string, unknown>>;
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

/** Converts a button press to A2UI's action message. */
export function actionOf(surfaceId: string, { name, sourceComponentId, context }: PressedAction): SurfaceAction {
  return { name, surfaceId, sourceComponentId, timestamp: new Date().toISOString(), context: { ...context } };
}
