import { CircleCheck, Pause, Play } from 'lucide-react';
import { useRef, useState } from 'react';
import { Button, cx } from '../../../../ui/elements.tsx';
import { useWidth } from '../../../../ui/hooks.ts';
import { filmText, type SeenFilm } from './film-time.ts';
import { lostText } from './format-menu.tsx';
import { ScenePicture } from './scene-picture.tsx';
import { SceneTile } from './scene-tile.tsx';
import { landing, stripGap, stripLayout } from './strip-layout.ts';
import { usePlay } from './use-play.ts';

interface FilmSectionProps {
  readonly seen: SeenFilm;
  readonly isLengthChosen: boolean;
  /** Why the film is not the newest: “Reading…”. */
  readonly note: string | null;
  readonly isOld: boolean;
  /** Whether uploads join the film when it is made. */
  readonly hasFiles: boolean;
  readonly litScene: number | null;
  readonly questions: ReadonlySet<number>;
  readonly titleOf: (format: string) => string;
  readonly onFormat: (at: number, format: string) => void;
  readonly onSeconds: (at: number, seconds: number) => void;
  readonly onMove: (from: number, to: number) => void;
  readonly onLight: (scene: number | null) => void;
  readonly onGo: (scene: number) => void;
  readonly onLeaveOut: (scene: number) => void;
}

/** Shows the film that will be made, scene by scene. */
export function FilmSection(props: FilmSectionProps) {
  const { seen, isLengthChosen, note, isOld, hasFiles, titleOf } = props;
  const { scenes, still } = seen;
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const { moment, toggle } = usePlay(scenes.map(({ scene }) => scene.seconds));
  const [drag, setDrag] = useState<{ readonly from: number; readonly dx: number } | null>(null);

  const [only] = scenes;
  const isSingle = scenes.length === 1 && only !== undefined;
  const isWide = width >= 900;
  const single = Math.min(520, width);
  const frames = { '16:9': 16 / 9, '9:16': 9 / 16, '1:1': 1, '4:5': 4 / 5 } as const;
  const layout = isSingle
    ? { widths: [single], height: Math.min(440, Math.round(single / frames[still.aspect])), pixelsPerSecond: 60 }
    : stripLayout(
        scenes.map(({ scene }) => scene.seconds),
        still.aspect,
        width,
      );
  const to = drag === null ? -1 : landing(layout.widths, drag.from, drag.dx);
  const shiftOf = (at: number): number => {
    if (drag === null) return 0;
    if (at === drag.from) return drag.dx;
    const step = (layout.widths[drag.from] ?? 0) + stripGap;
    if (at > drag.from && at <= to) return -step;
    return at < drag.from && at >= to ? step : 0;
  };
  const onDrag = (from: number) => (dx: number | null, isDone: boolean) => {
    if (dx === null || isDone) setDrag(null);
    else setDrag({ from, dx });
    if (dx !== null && isDone) {
      const place = landing(layout.widths, from, dx);
      if (place !== from) props.onMove(from, place);
    }
  };
  const tiles = scenes.map((one, at) => (
    <SceneTile
      key={one.scene.id}
      film={still}
      seen={one}
      count={scenes.length}
      width={layout.widths[at] ?? 0}
      height={layout.height}
      pixelsPerSecond={layout.pixelsPerSecond}
      isLit={props.litScene === one.number}
      isQuestion={props.questions.has(one.number)}
      moment={moment}
      shift={shiftOf(at)}
      isDragged={drag?.from === at}
      titleOf={titleOf}
      onFormat={(format) => props.onFormat(one.at, format)}
      onSeconds={(seconds) => props.onSeconds(one.at, seconds)}
      onMove={(place) => place >= 0 && place < scenes.length && props.onMove(at, place)}
      onDrag={onDrag(at)}
      onLight={(isLit) => props.onLight(isLit ? one.number : null)}
      onGo={() => props.onGo(one.number)}
      onPlay={() => toggle(at)}
      onLeaveOut={() => props.onLeaveOut(one.number)}
    />
  ));
  return (
    <section aria-label="Your film" className="mt-5">
      <div className="mb-2.5 flex min-h-9 flex-wrap items-center gap-x-2.5">
        <h2 className="font-semibold text-base">Your film</h2>
        <span className="text-ink-2 tabular-nums">{filmText(scenes.length, seen.seconds, isLengthChosen)}</span>
        {note !== null && <span className="text-ink-3 text-[13px]">{note}</span>}
        <span className="ml-auto flex items-center gap-1.5 text-[13px] text-ink-2 max-sm:hidden">
          <CircleCheck aria-hidden="true" className="size-4 text-ok" />
          {hasFiles ? 'What you see here is what is made, with your files.' : 'What you see here is what is made.'}
        </span>
        <Button size="sm" icon={moment === null ? Play : Pause} onClick={() => toggle()} className="ml-2 max-sm:ml-auto">
          {moment === null ? 'Play' : 'Pause'}
        </Button>
      </div>
      <div ref={box} className={cx('transition-opacity', isOld && 'opacity-50')}>
        {width > 0 && !isSingle && (
          <ol aria-label="Scenes" className="-m-1 flex overflow-x-auto p-1 pr-3" style={{ gap: stripGap }}>
            {tiles}
          </ol>
        )}
        {width > 0 && isSingle && (
          <div className="flex gap-7 max-lg:flex-col max-lg:gap-4">
            <ol aria-label="Scenes" className="shrink-0">
              {tiles}
            </ol>
            <AlsoFits seen={seen} width={isWide ? width - single - 28 : width} titleOf={titleOf} onFormat={props.onFormat} />
          </div>
        )}
      </div>
    </section>
  );
}

interface AlsoFitsProps {
  readonly seen: SeenFilm;
  readonly width: number;
  readonly titleOf: (format: string) => string;
  readonly onFormat: (at: number, format: string) => void;
}

/** Shows a single scene's words in the two next-best formats. */
function AlsoFits({ seen: { still, scenes }, width, titleOf, onFormat }: AlsoFitsProps) {
  const [only] = scenes;
  if (only === undefined || only.others.length === 0) return null;
  const own = Math.floor((width - 20) / 2);
  const height = Math.round(own / (16 / 9));
  return (
    <div className="min-w-0 flex-1">
      <p className="mb-2 flex h-5.5 items-center gap-2 text-[13px]">
        <span className="font-medium">These words also fit</span>
        <span className="truncate text-ink-3">one click, and back with Ctrl + Z</span>
      </p>
      <ul className="flex gap-5">
        {only.others.slice(0, 2).map((other) => (
          <li key={other.format} className="min-w-0">
            <div className="relative rounded-lg ring-1 ring-line-strong has-hover:ring-2 has-hover:ring-ink-3">
              <ScenePicture film={still} scene={{ ...only.scene, ...other }} isLast width={own} height={height} />
              <button
                type="button"
                onClick={() => onFormat(only.at, other.format)}
                aria-label={`Show as ${titleOf(other.format)}${other.lost.length > 0 ? `, which would not show ${lostText(other.lost)}` : ''}`}
                className="absolute inset-0 rounded-lg"
              />
            </div>
            <p aria-hidden="true" className="mt-2 flex items-center gap-2 text-[13px]">
              <span>{titleOf(other.format)}</span>
              <span className="ml-auto min-w-0 truncate text-ink-3 text-xs">
                {other.lost.length === 0 ? 'all words' : `without ${lostText(other.lost)}`}
              </span>
            </p>
          </li>
        ))}
      </ul>
      {only.others.length > 2 && (
        <ul aria-label="More formats that fit" className="mt-3.5 flex flex-wrap gap-2">
          {only.others.slice(2, 6).map((other) => (
            <li key={other.format}>
              <button
                type="button"
                onClick={() => onFormat(only.at, other.format)}
                className="h-7.5 rounded-full border border-line-strong px-3 text-[13px] text-ink-2 hover:border-ink-3 hover:text-ink"
              >
                {titleOf(other.format)}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
