import type { ComponentType, ReactNode } from 'react';
import type { Point } from '../drawing/curve.ts';
import type { Colors } from './colors.ts';

export interface Face {
  /** A CSS font list. Its last members cover scripts that the first lacks. */
  readonly family: string;
  readonly weight: number;
  readonly italic?: boolean;
  readonly tracking: number;
  readonly lineHeight: number;
  /** Width of the letters, for typefaces with a width axis. */
  readonly stretch?: 'condensed' | 'semi-condensed' | 'semi-expanded';
  /** CSS `font-variation-settings`, such as a fixed optical size. */
  readonly variations?: string;
}

/** `accent` and `helper` are fills, `plain` is a quiet surface, `ink` is the text colour. */
export type Tone = 'plain' | 'accent' | 'helper' | 'ink';

/** Material of a logo's letters. */
export type Material = 'flat' | 'gold' | 'glass' | 'neon' | 'chalk';

/** A rectangle in design pixels: the shorter side of the frame is 1080. */
export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface RuleProps {
  readonly x: number;
  readonly y: number;
  readonly length: number;
  readonly vertical?: boolean;
  /** Fraction that is drawn, 0 to 1, from the start edge. */
  readonly progress: number;
  readonly tone?: Tone;
  /** Seed that makes hand-drawn copies differ. */
  readonly seed?: number;
}

export interface PathProps {
  /** Design pixels from the start edge of the frame, close enough together to look like a curve. */
  readonly points: readonly Point[];
  readonly width: number;
  /** Width at the last point. Defaults to the width at the first. */
  readonly endWidth?: number;
  readonly progress: number;
  readonly tone?: Tone;
  /** Overrides the theme's colour for the tone. */
  readonly color?: string;
  readonly seed?: number;
}

export interface CardProps extends Rect {
  readonly tone?: Tone;
  readonly seed?: number;
  /** Scale and opacity of the entrance, 0 to 1; values above 1 overshoot. */
  readonly progress?: number;
  readonly children?: ReactNode;
}

export interface PlateProps extends Rect {
  readonly index: number;
  readonly progress: number;
  readonly tone?: Tone;
}

export interface TickProps {
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly progress: number;
  /** Fraction of the tick that is drawn, 0 to 1. */
  readonly checked: number;
  readonly seed: number;
}

export interface BadgeProps {
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly progress: number;
  readonly index: number;
  readonly tone?: Tone;
  readonly children?: ReactNode;
}

export interface MarkProps extends Rect {
  readonly progress: number;
  readonly seed?: number;
}

export interface ArrowProps {
  readonly x: number;
  readonly y: number;
  readonly length: number;
  readonly progress: number;
  readonly color: string;
  readonly stroke?: number;
}

export interface BarProps extends Rect {
  readonly tone: Tone;
  /** True for a column, false for a row. */
  readonly vertical: boolean;
  readonly index: number;
}

/** Layout of text on a plate, or without one if the theme draws none. */
export interface PlateStyle {
  /** False if rows of text are directly on the background. */
  readonly drawn: boolean;
  /** Padding around the text, in design pixels for a text size of 48. */
  readonly padding: number;
  ink(colors: Colors, tone: Tone): string;
}

/**
 * A theme: type, colours and the primitives that every format draws with. A format determines positions and motion, and draws
 * no line, card or mark itself. Primitives take design pixels and are mirrored in right-to-left films.
 */
export interface ThemeDesign {
  readonly display: Face;
  /** Emphasised words in the display face: italic in some themes, heavier in others. */
  readonly emphasis: Face;
  readonly text: Face;
  readonly strong: Face;
  /** Changing numbers, with digits of equal width. */
  readonly figures: Face;
  readonly mono: Face;
  readonly capitals: boolean;
  readonly radius: number;
  readonly stroke: number;
  readonly plate: PlateStyle;
  /** False if the background is visible through bars, so that text on them is unreadable. */
  readonly solidBars: boolean;
  /** Returns the text colour on a bar. */
  barInk(colors: Colors, tone: Tone): string;
  /** Default material of a logo. */
  readonly material: Material;
  readonly Ground: ComponentType;
  readonly Rule: ComponentType<RuleProps>;
  /** A curve that is drawn, with constant width or tapering. */
  readonly Path: ComponentType<PathProps>;
  readonly Card: ComponentType<CardProps>;
  readonly Plate: ComponentType<PlateProps>;
  readonly Tick: ComponentType<TickProps>;
  /** A number, an icon or a dot in front of an item. */
  readonly Badge: ComponentType<BadgeProps>;
  readonly Marker: ComponentType<MarkProps>;
  readonly Underline: ComponentType<MarkProps>;
  readonly Arrow: ComponentType<ArrowProps>;
  readonly Bar: ComponentType<BarProps>;
}
