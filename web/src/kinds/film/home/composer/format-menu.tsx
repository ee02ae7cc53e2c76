import { CircleAlert } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { type ReactNode, useState } from 'react';
import { Menu } from '../../../../ui/menu.tsx';
import type { StillFilm } from '../../stills/scene-still.tsx';
import type { SeenScene } from './film-time.ts';
import { ScenePicture } from './scene-picture.tsx';

interface FormatMenuProps {
  readonly trigger: ReactNode;
  readonly film: StillFilm;
  readonly seen: SeenScene;
  readonly titleOf: (format: string) => string;
  readonly onChoose: (format: string) => void;
}

const pictureWidth = 198;
const pictureHeight = 112;

/** Quotes the first of some texts, and counts the others. */
export function lostText(lost: readonly string[]): string {
  const [first = '', second, ...others] = lost;
  const short = (text: string) => (text.length > 40 ? `${text.slice(0, 40)}…` : text);
  if (second === undefined) return `“${short(first)}”`;
  return others.length === 0 ? `“${short(first)}” and “${short(second)}”` : `“${short(first)}” and ${others.length + 1} more`;
}

/** Offers other formats for a scene's words, with what each would not show. */
export function FormatMenu({ trigger, film, seen, titleOf, onChoose }: FormatMenuProps) {
  const { scene, number, others } = seen;
  const [looked, setLooked] = useState<string | null>(null);
  const lost = others.find(({ format }) => format === looked)?.lost ?? [];
  return (
    <Menu trigger={trigger} className="w-[min(684px,calc(100vw-16px))]" onOpen={() => setLooked(null)}>
      <DropdownMenu.Label className="px-3 pt-2 pb-1.5 text-[13px]">
        <span className="font-medium">{`Show scene ${number} as`}</span>
        <span className="ml-2 text-ink-2">the same words, another format</span>
      </DropdownMenu.Label>
      <DropdownMenu.RadioGroup
        aria-label={`Show scene ${number} as`}
        value={scene.format}
        onValueChange={onChoose}
        className="grid grid-cols-[repeat(auto-fill,minmax(214px,1fr))] gap-1 px-1"
      >
        {[{ format: scene.format, props: scene.props, lost: [] as string[] }, ...others].map((other) => (
          <DropdownMenu.RadioItem
            key={other.format}
            value={other.format}
            onFocus={() => setLooked(other.format)}
            onPointerMove={() => setLooked(other.format)}
            aria-label={`${titleOf(other.format)}${other.lost.length > 0 ? `, would not show ${lostText(other.lost)}` : ', all words'}`}
            className="cursor-pointer rounded-lg p-2 outline-none data-highlighted:bg-sunken"
          >
            <span className="block w-fit overflow-hidden rounded-md ring-1 ring-line-strong">
              <ScenePicture film={film} scene={{ ...scene, ...other }} width={pictureWidth} height={pictureHeight} />
            </span>
            <span className="mt-1.5 flex items-baseline gap-2 text-[13px]">
              <span className="font-medium">{titleOf(other.format)}</span>
              <span className="ml-auto truncate text-ink-3 text-xs">
                {other.format === scene.format && 'now'}
                {other.format !== scene.format && (other.lost.length === 0 ? 'all words' : `${other.lost.length} left out`)}
              </span>
            </span>
          </DropdownMenu.RadioItem>
        ))}
      </DropdownMenu.RadioGroup>
      <p
        aria-hidden="true"
        className="mx-3 mt-1 flex min-h-10 items-center gap-2 border-line border-t py-2 text-[13px] text-ink-2"
      >
        {lost.length > 0 && looked !== null && (
          <>
            <CircleAlert className="size-4 shrink-0 text-warn" />
            <span className="line-clamp-2">{`${titleOf(looked)} would not show: ${lostText(lost)}.`}</span>
          </>
        )}
        {lost.length === 0 && 'Arrows look, Enter keeps.'}
      </p>
    </Menu>
  );
}
