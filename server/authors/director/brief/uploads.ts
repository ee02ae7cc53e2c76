export interface BriefAsset {
  readonly name: string;
  /** As the page serves it: `/assets/logo.png`. */
  readonly path: string;
  readonly kind: 'image' | 'audio' | 'font';
  readonly width: number | null;
  readonly height: number | null;
}

/** An uploaded picture, as a film shows it. */
export interface Picture {
  /** As the page serves it: `/assets/logo.png`. */
  readonly src: string;
  /** Width by height. */
  readonly aspectRatio: number;
}

export function pictureOf({ path, width, height }: BriefAsset): Picture {
  const known = width !== null && height !== null && width > 0 && height > 0;
  return { src: path, aspectRatio: known ? Math.round((width / height) * 1000) / 1000 : 1 };
}

/** The picture that "the logo" is: one that is called so, else the first; null when none was uploaded. */
export function logoAmong(assets: readonly BriefAsset[]): Picture | null {
  const images = assets.filter((asset) => asset.kind === 'image');
  const image = images.find((asset) => /logo|brand|mark|icon/i.test(asset.name)) ?? images[0];
  return image === undefined ? null : pictureOf(image);
}

/** Letters, digits and what stands inside a file's name. */
const inName = '[\\p{L}\\p{N}_-]';

/**
 * Finds the names of uploads in a text, also behind their folder, at exactly the place where it is asked; the name is group 1.
 * Null = there are none to find.
 */
export function uploadPattern(names: readonly string[]): RegExp | null {
  if (names.length === 0) return null;
  const longestFirst = names.toSorted((a, b) => b.length - a.length).map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`(?<!${inName})(?:/?(?:public/)?assets/)?(${longestFirst.join('|')})(?!${inName})`, 'iuy');
}
