import { drawSlide, mountSlide } from './slide.ts';

/** The slide from `static-heavy` without its holds, as the baseline for what static frames save. */
export const mount = mountSlide;
export const draw = drawSlide;
