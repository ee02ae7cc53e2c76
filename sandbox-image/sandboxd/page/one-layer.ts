/**
 * CSS rule that keeps elements with animations or `will-change` out of their own compositor layers. Chromium rasterises such
 * a layer at a scale that depends on earlier frames. Without the layer they are as sharp and no slower. See
 * https://drafts.csswg.org/css-will-change-1/#valdef-will-change-contents
 */
export const oneLayerRule = ':root:root { will-change: contents !important; }';
