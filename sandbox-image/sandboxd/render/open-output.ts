import { renderFiles } from '../../../server/contract/render.ts';
import type { RenderJob } from '../../../server/contract/sandboxd.ts';
import { EncodedOutput } from './encoded-output.ts';
import type { FilmContent } from './film-content.ts';
import type { FilmOutput, OutputOptions } from './film-output.ts';
import { formatTraits, frameRate, pictureFormat } from './formats.ts';
import { GifOutput } from './gif-output.ts';
import { SequenceOutput, StillOutput } from './stored-outputs.ts';

/** What makes the file of a job out of pictures. */
export function openOutput(job: RenderJob, content: FilmContent, options: OutputOptions): FilmOutput {
  switch (formatTraits[job.format].kind) {
    case 'video':
      return new EncodedOutput(job, { ...options, ...content });
    case 'gif': {
      const pictures = { picture: pictureFormat(job), rate: frameRate(job), transparent: job.transparent };
      return new GifOutput({ ...options, ...pictures, part: content.part });
    }
    case 'stored': {
      const stored = { path: options.path, part: content.part };
      return renderFiles[job.format].still ? new StillOutput(stored) : new SequenceOutput(stored);
    }
  }
}
