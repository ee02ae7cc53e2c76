import type { RenderJob } from '../../../server/contract/sandboxd.ts';
import { EncodedOutput } from './encoded-output.ts';
import type { ColourFilter } from './ffmpeg-args.ts';
import type { FilmContent } from './film-content.ts';
import type { FilmOutput } from './film-output.ts';
import { formatTraits, frameRate, pictureFormat } from './formats.ts';
import { GifOutput } from './gif-output.ts';
import type { LiveFilm } from './live-film.ts';
import { SequenceOutput, StillOutput } from './stored-outputs.ts';

export interface OutputOptions {
  /** The finished file. */
  readonly path: string;
  /** A folder for what is only needed meanwhile. */
  readonly scratch: string;
  /** Where the film is to be seen while it is made; null = nowhere. */
  readonly live: LiveFilm | null;
  readonly filter: ColourFilter;
  readonly ffmpegPath: string;
  readonly signal: AbortSignal;
}

/** What makes the file of a job out of pictures. */
export function openOutput(job: RenderJob, content: FilmContent, options: OutputOptions): FilmOutput {
  const { kind, still } = formatTraits[job.format];
  switch (kind) {
    case 'video':
      return new EncodedOutput(job, { ...options, ...content });
    case 'gif': {
      const pictures = { picture: pictureFormat(job), rate: frameRate(job), transparent: job.transparent };
      return new GifOutput({ ...options, ...pictures, part: content.part });
    }
    case 'stored': {
      const stored = { path: options.path, part: content.part };
      return still ? new StillOutput(stored) : new SequenceOutput(stored);
    }
  }
}
