import type { FilmText, Subject } from '../../../../contract/film.ts';

/** A part of the frame in per cent, from the top left corner. */
export interface Area {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

export interface TextPlace {
  readonly text: FilmText;
  readonly box: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
  readonly size: number;
  readonly align: 'left' | 'center';
}

export interface SubjectPlace {
  readonly subject: Subject;
  /** Centres of the bodies at rest, in world units, in the order in which they follow one another. */
  readonly places: readonly (readonly [number, number, number])[];
  /** Half of a body's size, in world units. */
  readonly radius: number;
  readonly area: Area;
  readonly stands: boolean;
  /** Bodies that do the same together, of this subject and others, and how many of them come before its first one. */
  readonly groupSize: number;
  readonly rank: number;
  /** How many rows of them stand behind one another. */
  readonly rows: number;
  /** The only body of the scene, with the whole height of the frame for its move. */
  readonly solo: boolean;
}

export interface SceneLayout {
  readonly texts: readonly TextPlace[];
  readonly subjects: readonly SubjectPlace[];
  /** What the camera looks at: it lowers its eyes when text stands below the floor line. */
  readonly cameraY: number;
  readonly groundPercent: number;
}
