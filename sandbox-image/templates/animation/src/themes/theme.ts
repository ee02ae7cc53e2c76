import type { ComponentType, ReactNode } from 'react';
import type { Point } from '../formats/curve.ts';
import type { Colors } from './colors.ts';

/** A typeface as a theme uses it. */
export interface Face {
  /** A CSS font list whose last members cover the scripts that the first lacks. */
  readonly family: string;
  readonly weight: number;
  readonly italic?: boolean;
  /** Letter spacing in em. */
  readonly tracking: number;
  readonly lineHeight: number;
  /** Width of the letters, for faces with a width axis. */
  readonly stretch?: 'condensed' | 'semi-condensed' | 'semi-expanded';
  /** CSS `font-variation-settings`, such as a fixed optical size. */
  readonly variations?: string;
}

/** Accent and helper are fills, `plain` is a quiet surface, `ink` is the colour of text. */
export type Tone = 'plain' | 'accent' | 'helper' | 'ink';

/** What the letters of a logo are made of. */
export type Material = 'flat' | 'gold' | 'glass' | 'neon' | 'chalk';

/** A rectangle in design pixels: the shorter side of the frame has 1080. */
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
  /** 0 to 1: the part that is drawn, from the reading side. */
  readonly progress: number;
  readonly tone?: Tone;
  /** Tells hand-drawn copies apart. */
  readonly seed?: number;
}

export interface PathProps {
  /** In design pixels of the frame, seen from the reading side, close enough together to look like a curve. */
  readonly points: readonly Point[];
  readonly width: number;
  /** Width at the last point; default the same. */
  readonly endWidth?: number;
  /** 0 to 1: the part that is drawn, from the first point on. */
  readonly progress: number;
  readonly tone?: Tone;
  /** Instead of the colour that the theme gives the tone. */
  readonly color?: string;
  readonly seed?: number;
}

export interface CardProps extends Rect {
  readonly tone?: Tone;
  readonly seed?: number;
  /** 0 to 1: scale and opacity of the entrance; values above 1 overshoot. */
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
  /** 0 to 1: how far the box has appeared. */
  readonly progress: number;
  /** 0 to 1: how far the tick is drawn. */
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

/** How text is set on a plate, or where the theme draws none. */
export interface PlateStyle {
  /** False where rows of text stand on the ground. */
  readonly drawn: boolean;
  /** Added around the text, in design pixels for a text of 48. */
  readonly padding: number;
  ink(colors: Colors, tone: Tone): string;
}

/**
 * A theme: type, colours and the primitives that every format draws with. A format decides what stands where and when
 * it moves; it draws no line, card or mark by itself. All primitives take design pixels and place themselves, mirrored
 * in right-to-left films.
 */
export interface ThemeDesign {
  readonly display: Face;
  /** Emphasised words in the display face: italic in some themes, heavier in others. */
  readonly emphasis: Face;
  readonly text: Face;
  readonly strong: Face;
  /** Numbers that change: every digit has the same width. */
  readonly figures: Face;
  readonly mono: Face;
  /** True where the display face is set in capitals. */
  readonly capitals: boolean;
  /** Corner radius of cards in design pixels. */
  readonly radius: number;
  /** Width of rules in design pixels. */
  readonly stroke: number;
  readonly plate: PlateStyle;
  /** False where the ground shows through bars, so that no text may stand on them. */
  readonly solidBars: boolean;
  /** Of a logo, where the film asks for none. */
  readonly material: Material;
  readonly Ground: ComponentType;
  readonly Rule: ComponentType<RuleProps>;
  /** A curved line that is drawn, of one width or tapering. */
  readonly Path: ComponentType<PathProps>;
  readonly Card: ComponentType<CardProps>;
  /** The strip behind one line of a list. */
  readonly Plate: ComponentType<PlateProps>;
  readonly Tick: ComponentType<TickProps>;
  /** A number, an icon or a dot in front of something. */
  readonly Badge: ComponentType<BadgeProps>;
  /** A highlighter behind words. */
  readonly Marker: ComponentType<MarkProps>;
  /** A line under words. */
  readonly Underline: ComponentType<MarkProps>;
  readonly Arrow: ComponentType<ArrowProps>;
  readonly Bar: ComponentType<BarProps>;
}
