import { drawSlide, mountSlide } from './slide.ts';

/** The slide of `static-heavy` without its holds: what stillness saves is measured against it. */
export const mount = mountSlide;
export const draw = drawSlide;
