import { type Aspect, aspectSchema } from '#contract/render.ts';
import { type Style, styleSchema, type ThemeName } from '#kinds/film/contract/film.ts';
import { themes } from '#kinds/film/contract/themes.ts';
import { iconOf, iconsIn } from '../../server/kinds/film/author/icons.ts';
import { paletteOf } from '../../server/kinds/film/author/palette.ts';
import { formats } from '../../server/kinds/film/formats/catalogue.ts';
import type { Format } from '../../server/kinds/film/formats/define-format.ts';
import type { Combination } from './check.ts';
import { type ContentName, contentNames, contentOf } from './contents.ts';

/** Longer side of the checked frames, in pixels. */
const longerSide = 960;
const sizes: Readonly<Record<Aspect, readonly [width: number, height: number]>> = {
  '16:9': [1920, 1080],
  '9:16': [1080, 1920],
  '1:1': [1080, 1080],
  '4:5': [1080, 1350],
};
const themeNames = Object.keys(themes) as ThemeName[];
const languages: Partial<Record<ContentName, string>> = { arabic: 'ar', japanese: 'ja', 'long-words': 'de' };
const stylePace: Readonly<Record<Style, number>> = { playful: 0.9, smooth: 1, cinematic: 1.2 };

export interface NamedCombination extends Combination {
  readonly name: string;
  readonly content: ContentName;
  readonly theme: ThemeName;
  readonly aspect: Aspect;
}

interface Wish {
  readonly format: Format;
  readonly content: ContentName;
  readonly theme: ThemeName;
  readonly style: Style;
  readonly aspect: Aspect;
}

/** Returns a combination ready to be shown, or `null` if the format's schema does not allow the content. */
export function combine({ format, content, theme, style, aspect }: Wish): NamedCombination | null {
  const props = contentOf(format, content);
  if (props === null) return null;
  const [width, height] = sizes[aspect];
  const scale = longerSide / Math.max(width, height);
  const seconds = Math.round(format.seconds(props) * stylePace[style] * 10) / 10;
  const icons = Object.fromEntries(
    iconsIn(props).flatMap((name) => {
      const icon = iconOf(name);
      return icon === null ? [] : [[name, icon]];
    }),
  );
  return {
    name: [format.id, content, theme, style, aspect].join(' '),
    content,
    theme,
    style,
    aspect,
    format,
    props,
    seconds,
    width: Math.round(width * scale),
    height: Math.round(height * scale),
    film: {
      width,
      height,
      theme: { name: theme, style, seed: 7, language: languages[content] ?? 'en', palette: paletteOf({ theme, colors: {} }) },
      scenes: [{ format: format.id, props: props as object, seconds }],
      icons,
    },
  };
}

/**
 * Returns every format in every style, aspect ratio and content, and the example in every theme. The theme changes from one
 * combination to the next, so that each format is checked with all themes.
 */
export function allCombinations(ids: readonly string[] = []): NamedCombination[] {
  const chosen = (formats as readonly Format[]).filter(({ id }) => ids.length === 0 || ids.includes(id));
  return chosen.flatMap((format, offset) => {
    let turn = offset;
    const crossed = styleSchema.options.flatMap((style) =>
      aspectSchema.options.flatMap((aspect) =>
        contentNames.map((content) =>
          combine({ format, content, style, aspect, theme: themeNames[turn++ % themeNames.length] ?? 'studio' }),
        ),
      ),
    );
    const themed = themeNames.flatMap((theme) =>
      aspectSchema.options.map((aspect) => combine({ format, content: 'example', style: 'smooth', aspect, theme })),
    );
    const unique = new Map([...crossed, ...themed].filter((one) => one !== null).map((one) => [one.name, one]));
    return [...unique.values()];
  });
}
