import type { StageInfo } from '../../../server/contract/sandboxd.ts';

export interface Chapter {
  readonly title: string;
  /** From the beginning of the finished file. */
  readonly startSeconds: number;
  readonly endSeconds: number;
}

/**
 * The scenes as chapters of the part of the film from `startSeconds` to `endSeconds`. Scenes may overlap
 * (a transition belongs to both), chapters may not: one ends where the next begins.
 */
export function planChapters(
  scenes: StageInfo['scenes'],
  part: { readonly startSeconds: number; readonly endSeconds: number },
): Chapter[] {
  const inOrder = scenes.toSorted((one, other) => one.startSeconds - other.startSeconds);
  return inOrder.flatMap(({ id, title, startSeconds, durationSeconds }, index) => {
    const next = inOrder[index + 1]?.startSeconds ?? Number.POSITIVE_INFINITY;
    const start = Math.max(startSeconds, part.startSeconds);
    const end = Math.min(startSeconds + durationSeconds, next, part.endSeconds);
    if (milliseconds(end) <= milliseconds(start)) return [];
    return [{ title: title || id, startSeconds: start - part.startSeconds, endSeconds: end - part.startSeconds }];
  });
}

/** Chapters in the form that FFmpeg reads (https://ffmpeg.org/ffmpeg-formats.html#Metadata-1), times in milliseconds. */
export function chapterFile(chapters: readonly Chapter[]): string {
  const marks = chapters.map(
    ({ title, startSeconds, endSeconds }) =>
      `[CHAPTER]\nTIMEBASE=1/1000\nSTART=${milliseconds(startSeconds)}\nEND=${milliseconds(endSeconds)}\ntitle=${escaped(title)}\n`,
  );
  return [';FFMETADATA1\n', ...marks].join('');
}

function escaped(title: string): string {
  return title.replace(/\s+/g, ' ').replace(/[=;#\\]/g, '\\$&');
}

function milliseconds(seconds: number): number {
  return Math.round(seconds * 1000);
}
