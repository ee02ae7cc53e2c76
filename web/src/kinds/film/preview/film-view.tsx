import { type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { cx } from '../../../ui/elements.tsx';
import { type Comparison, videoName } from './compare-bar.tsx';
import { CompareVideo, WipeHandle } from './compare-video.tsx';
import { Guides } from './guides.tsx';
import { type Box, layOut, type Size } from './layout.ts';
import type { Player } from './player.ts';
import { editChannel } from './preview-channel.ts';
import { usePlayerState } from './use-player.ts';
import { type ViewSettings, viewSettings } from './view-settings.tsx';

interface FilmViewProps {
  player: Player;
  frameSize: Size;
  comparison: Comparison | null;
  /** The frame and its status, which stay mounted during comparisons. */
  children: ReactNode;
  onToggle: () => void;
}

/** Background behind a film that has none of its own. */
const backgrounds: Record<ViewSettings['background'], string> = {
  film: 'var(--panel)',
  checkerboard: 'repeating-conic-gradient(#c8c8c8 0 25%, #ffffff 0 50%) 0 0 / 24px 24px',
  black: '#000000',
  white: '#ffffff',
};

/** Shows the film as large as the pane allows: alone, on a phone, or beside another version. */
export function FilmView({ player, frameSize, comparison, children, onToggle }: FilmViewProps) {
  const area = useRef<HTMLDivElement>(null);
  const size = useSize(area);
  const { frame, background, compareMode } = useStore(viewSettings);
  const [wipe, setWipe] = useState(0.5);
  const aspect = frameSize.width / frameSize.height;
  const split = comparison !== null && compareMode === 'side';
  const wiping = comparison !== null && compareMode === 'wipe';
  const layout = layOut(size, { aspect, phone: frame === 'phone' && comparison === null, split });
  const after = comparison?.after ?? null;
  return (
    <div className="relative min-h-0 flex-1 bg-backdrop p-3 sm:p-6">
      <div ref={area} className="relative size-full">
        {layout.phone && <Phone box={layout.phone} />}
        <div
          data-film=""
          className={cx(
            'absolute isolate overflow-hidden',
            layout.phone ? 'rounded-sm' : 'rounded-md shadow-lift',
            // Hidden until its position is known.
            size.width === 0 && 'invisible',
          )}
          style={{ ...place(layout.film), background: backgrounds[background] }}
        >
          <div className={cx('absolute inset-0', after && 'invisible')}>{children}</div>
          {after && (
            <CompareVideo
              key={after.render.id}
              video={after}
              player={player}
              label={videoName(after)}
              className="inset-0 bg-black"
            />
          )}
          {wiping && (
            <CompareVideo
              key={`before ${comparison.before.render.id}`}
              video={comparison.before}
              player={player}
              label={videoName(comparison.before)}
              className="inset-0 bg-black"
              style={{ clipPath: `inset(0 ${100 * (1 - wipe)}% 0 0)` }}
            />
          )}
          <ClickToPlay player={player} onToggle={onToggle} />
          <Guides aspect={aspect} />
          {comparison && <Tag right>{after ? `Version ${after.version}` : 'Live page'}</Tag>}
          {wiping && (
            <>
              <Tag>{`Version ${comparison.before.version}`}</Tag>
              <WipeHandle share={wipe} onChange={setWipe} />
            </>
          )}
        </div>
        {layout.other && comparison && (
          <div className="absolute overflow-hidden rounded-md shadow-lift" style={place(layout.other)}>
            <CompareVideo
              key={comparison.before.render.id}
              video={comparison.before}
              player={player}
              label={videoName(comparison.before)}
              className="inset-0 bg-black"
            />
            <Guides aspect={aspect} />
            <Tag>{`Version ${comparison.before.version}`}</Tag>
          </div>
        )}
      </div>
    </div>
  );
}

/**
 * Plays and pauses the film on a click, like any video. The click does not reach the page, which would take the keyboard
 * focus from the studio. A click on a text in the film goes to the editor, if there is one, and pauses the film.
 */
function ClickToPlay({ player, onToggle }: { player: Player; onToggle: () => void }) {
  const responsive = usePlayerState(player, (state) => state.health === 'responsive' || player.isDetached);
  if (!responsive) return null;
  const click = async ({ clientX, clientY, currentTarget }: React.MouseEvent) => {
    const { left, top, width, height } = currentTarget.getBoundingClientRect();
    const { playing } = player.store.getState();
    if (playing) onToggle();
    const point = { x: (clientX - left) / width, y: (clientY - top) / height };
    const isTaken = !player.isDetached && (await editChannel.clicked(point));
    if (!playing && !isTaken) onToggle();
  };
  // Keyboards and screen readers use the button in the bar below.
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-hidden="true"
      onClick={(event) => void click(event)}
      className="absolute inset-0 cursor-default"
    />
  );
}

function Phone({ box }: { box: Box }) {
  const short = Math.min(box.width, box.height);
  const upright = box.height > box.width;
  return (
    <div
      aria-hidden="true"
      data-guide="phone"
      className="absolute bg-black shadow-[0_0_0_2px_#6b6b6f,0_24px_48px_-16px_rgb(0_0_0/0.5)]"
      style={{ ...place(box), borderRadius: short * 0.13 }}
    >
      <span
        className="absolute rounded-full bg-[#1c1c1e]"
        style={
          upright
            ? { top: short * 0.055, left: '36%', right: '36%', height: short * 0.065 }
            : { left: short * 0.055, top: '36%', bottom: '36%', width: short * 0.065 }
        }
      />
    </div>
  );
}

function Tag({ right = false, children }: { right?: boolean; children: string }) {
  return (
    <span
      className={cx(
        'pointer-events-none absolute top-2 max-w-[45%] truncate rounded-md bg-black/65 px-2 py-0.5 text-white text-xs',
        right ? 'right-2' : 'left-2',
      )}
    >
      {children}
    </span>
  );
}

const place = ({ left, top, width, height }: Box) => ({ left, top, width, height });

/** Returns an element's size in CSS pixels, or its last known size while it is hidden. */
function useSize(element: RefObject<HTMLElement | null>): Size {
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  useLayoutEffect(() => {
    if (!element.current) return;
    const measured = element.current;
    const measure = () => {
      const { clientWidth: width, clientHeight: height } = measured;
      if (width > 0 && height > 0) setSize((old) => (old.width === width && old.height === height ? old : { width, height }));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(measured);
    return () => observer.disconnect();
  }, [element]);
  return size;
}
