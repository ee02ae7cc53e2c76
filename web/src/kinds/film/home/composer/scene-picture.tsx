import { lazy, Suspense } from 'react';
import type { FormatScene } from '#kinds/film/contract/film.ts';
import type { StillFilm } from '../../stills/scene-still.tsx';

const SceneStill = lazy(async () => ({ default: (await import('../../stills/scene-still.tsx')).SceneStill }));

interface ScenePictureProps {
  readonly film: StillFilm;
  readonly scene: Pick<FormatScene, 'format' | 'props' | 'seconds'>;
  readonly isLast?: boolean;
  /** The frame is drawn whole, as large as fits, on the theme's ground. */
  readonly width: number;
  readonly height: number;
  readonly seconds?: number | undefined;
}

/** Draws a scene complete, or at a moment. Assistive technology reads its words in the list instead. */
export function ScenePicture({ film, scene, isLast = false, width, height, seconds }: ScenePictureProps) {
  const { backgroundTop, backgroundBottom } = film.palette;
  return (
    <span
      aria-hidden="true"
      data-picture={scene.format}
      className="block overflow-hidden rounded-[inherit]"
      style={{ width, height, background: `linear-gradient(${backgroundTop}, ${backgroundBottom})` }}
    >
      <Suspense>
        <SceneStill
          film={film}
          scene={scene}
          isLast={isLast}
          width={width}
          height={height}
          {...(seconds !== undefined && { seconds })}
        />
      </Suspense>
    </span>
  );
}
