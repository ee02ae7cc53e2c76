import type { RenderRequestInput } from '../api/renders.ts';
import { renderApi } from '../api/renders.ts';

/** Single pictures that this page asked for: their files are saved as soon as they are made. */
const awaited = new Set<string>();

export interface StillRequest {
  readonly atSeconds: number;
  readonly picture: Pick<RenderRequestInput, 'format' | 'resolution' | 'transparent'>;
  readonly parameters: RenderRequestInput['parameters'];
}

/** Asks for a picture of one moment of the film, in seconds. Throws an ApiError. */
export async function requestStill(projectId: string, { atSeconds, picture, parameters }: StillRequest): Promise<void> {
  const values = parameters ? { parameters } : {};
  const { id } = await renderApi.start(projectId, { kind: 'final', ...picture, atSeconds, ...values });
  awaited.add(id);
}

/** Whether the file of that render shall be saved; true once. */
export const takeAwaited = (renderId: string): boolean => awaited.delete(renderId);
