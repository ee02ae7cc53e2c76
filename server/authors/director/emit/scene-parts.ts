import type { KeyTrack } from './keyframes.ts';
import type { SceneParameter } from './scene-parameters.ts';

/** What one subject or text adds to the file of its scene. */
export interface ScenePart {
  /** Named values from the kit: file below `src/kit/` → names; types are written `type Name`. */
  readonly kit: readonly (readonly [file: string, name: string])[];
  readonly tracks: readonly KeyTrack[];
  /** What its code may read; what it does not read is not declared. */
  readonly parameters: readonly SceneParameter[];
  /** Declarations between the tracks and the components. */
  readonly constants: readonly string[];
  /** JSX for the 3D part and for the HTML part. */
  readonly world: readonly string[];
  readonly overlay: readonly string[];
  /** Moments at which something lands, in seconds: words like to come in on one. */
  readonly accents: readonly number[];
}
