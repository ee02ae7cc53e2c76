/** Widths in which the app can be shown, in CSS pixels. */
export const viewports = [
  { id: 'desktop', width: 1440, name: 'Desktop' },
  { id: 'tablet', width: 1024, name: 'Tablet' },
  { id: 'phone', width: 390, name: 'Phone' },
] as const;
export type ViewportId = (typeof viewports)[number]['id'];

/** A phone's screen is not higher than this. Wider windows take the height that there is. */
const phoneHeight = 844;

interface Fitted {
  /** Size of the frame in its own CSS pixels. */
  readonly width: number;
  readonly height: number;
  /** At most 1. */
  readonly scale: number;
}

/** Fits a viewport into an area of CSS pixels. An area that is not laid out yet has no size. */
export function fitViewport(id: ViewportId, area: { readonly width: number; readonly height: number }): Fitted {
  const width = viewports.find((viewport) => viewport.id === id)?.width ?? viewports[0].width;
  const scale = area.width > 0 ? Math.min(1, area.width / width) : 1;
  const height = Math.round(area.height / scale);
  return { width, height: id === 'phone' ? Math.min(height, phoneHeight) : height, scale };
}
