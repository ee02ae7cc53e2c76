import { x264Options } from '../../../sandbox-image/sandboxd/render/ffmpeg-args.ts';

/** The setting that all others are compared with. */
export const reference = '-preset veryfast -crf 18';

/** FFmpeg options by name: what the product uses, and what was considered for it. */
export const namedSettings: Readonly<Record<string, string>> = {
  final: x264Options({ speed: 'fast', crf: 18 }).join(' '),
  small: x264Options({ speed: 'medium', crf: 18 }).join(' '),
  'no-b-frames': '-preset veryfast -crf 18 -bf 0',
  'one-b-frame': '-preset veryfast -crf 18 -bf 1',
  'all-partitions': '-preset veryfast -crf 17.5 -bf 1 -x264-params subme=2:me=dia:b-adapt=0',
  'less-refinement': '-preset veryfast -crf 17.5 -bf 1 -x264-params subme=1:me=dia:b-adapt=0:aq-strength=0.9',
  superfast: '-preset superfast -crf 17 -bf 1 -x264-params mbtree=1:rc-lookahead=8:b-adapt=0:subme=2',
};
