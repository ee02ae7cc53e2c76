/**
 * Keeps what CSS animates or announces (`will-change`) from becoming a layer of its own. The browser draws such a
 * layer at a scale that depends on what it drew before, so the frame would depend on the frames before it; drawn as
 * a part of the page, it is as sharp as it can be, and not slower. `contents` says that, for the root and all in it:
 * https://drafts.csswg.org/css-will-change-1/#valdef-will-change-contents
 */
export const oneLayerRule = ':root:root { will-change: contents !important; }';
