/** Comparison of an encoder's settings with the reference setting, source by source. */

export interface Encoded {
  /** CPU time per frame. */
  readonly cpuMs: number;
  readonly bytes: number;
  /** SSIM of all planes, 0 to 1. */
  readonly ssim: number;
  /** PSNR of all planes. */
  readonly psnrDb: number;
}

/** One source's figures relative to the reference setting. */
export interface Relative {
  readonly cpu: number;
  readonly bytes: number;
  /** Ratio of 1 - SSIM. Above 1 is worse than the reference. */
  readonly distortion: number;
  readonly psnrDb: number;
}

export const maxBytesRatio = 1.3;

export function relativeTo(reference: Encoded, encoded: Encoded): Relative {
  return {
    cpu: encoded.cpuMs / reference.cpuMs,
    bytes: encoded.bytes / reference.bytes,
    distortion: (1 - encoded.ssim) / (1 - reference.ssim),
    psnrDb: encoded.psnrDb - reference.psnrDb,
  };
}

/** Returns whether a source looks no worse than with the reference setting, in a file that is at most 1.3 times as large. */
export function meetsRule({ distortion, bytes }: Relative): boolean {
  return distortion <= 1 && bytes <= maxBytesRatio;
}

export interface Summary {
  /** Number of sources that meet the rule. */
  readonly meeting: number;
  readonly cpu: number;
  readonly bytes: number;
  readonly largestBytes: number;
  readonly distortion: number;
  readonly worstDistortion: number;
  readonly lowestPsnrDb: number;
}

export function summariseSources(sources: readonly Relative[]): Summary {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [cpu, bytes, distortion] = [
    sources.map((source) => source.cpu),
    sources.map((source) => source.bytes),
    sources.map((source) => source.distortion),
  ] as const;
  return {
    meeting: sources.filter(meetsRule).length,
    cpu: mean(cpu),
    bytes: mean(bytes),
    largestBytes: Math.max(...bytes),
    distortion: mean(distortion),
    worstDistortion: Math.max(...distortion),
    lowestPsnrDb: Math.min(...sources.map(({ psnrDb }) => psnrDb)),
  };
}
