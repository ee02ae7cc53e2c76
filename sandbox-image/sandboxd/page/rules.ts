/**
 * CSS rule that keeps elements with animations or `will-change` out of their own compositor layers. Chromium rasterises such
 * a layer at a scale that depends on earlier frames. Without the layer they are as sharp and no slower. See
 * https://drafts.csswg.org/css-will-change-1/#valdef-will-change-contents
 */
export const oneLayerRule = ':root:root { will-change: contents !important; }';

/**
 * Moving pictures (GIF, APNG, WebP, AVIF, SMIL in an image) show their first frame, because they follow the real clock. See
 * https://drafts.csswg.org/css-image-animation-1/
 */
export const stillPicturesRule = ':root:root { image-animation: stopped !important; }';

/** Scenes that a film of an earlier version hides, but of which filters and visible children would still be drawn. */
export const hiddenScenesRule = '.stage > .layer[style*="visibility: hidden"] { content-visibility: hidden; }';
