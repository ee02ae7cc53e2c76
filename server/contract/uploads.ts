import type { Asset } from './project.ts';

const megabyte = 1024 * 1024;

/** How large an upload may be, by what it is. */
export const maxUploadBytes: Record<Asset['kind'], number> = {
  image: 25 * megabyte,
  audio: 100 * megabyte,
  font: 25 * megabyte,
};
