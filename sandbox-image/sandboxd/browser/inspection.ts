import type { InspectReport, InspectRequest, ScreenshotRequest } from '#contract/sandbox/answers.ts';
import { CaptureError } from './capture-error.ts';
import { CastCollector } from './cast-collector.ts';
import type { Chromium } from './chromium.ts';
import { ContactSheet } from './contact-sheet.ts';
import { change, contrast, decodeFrame, type LumaFrame } from './frame-analysis.ts';
import { LayoutCollector } from './layout-collector.ts';
import { PageEvidence } from './page-evidence.ts';
import { Stage, type StageLimits } from './stage.ts';

export interface PageOptions {
  readonly origin: string;
  readonly limits: StageLimits;
  readonly signal: AbortSignal;
}

export async function takeScreenshot(chromium: Chromium, request: ScreenshotRequest, options: PageOptions): Promise<Buffer> {
  const { width, height, seekToSeconds, format, quality } = request;
  await using stage = await Stage.open(chromium, {
    ...options,
    size: { width, height },
    transparent: false,
    parameters: null,
    aspect: null,
    skipsRedundantDraws: false,
    evidence: new PageEvidence(),
  });
  await stage.seek(seekToSeconds);
  return await stage.capture(format, quality);
}

export interface Inspection {
  readonly report: InspectReport;
  readonly captureError: CaptureError | null;
  /** The open page, which the caller closes; `null` if the inspection failed. */
  readonly stage: Stage | null;
}

/**
 * Inspects a page: its info, console, frames and layout. A failing page is a finding, and its error is the report's last
 * message. Throws CaptureError only if the browser fails or the page is unreachable.
 */
export async function inspectPage(chromium: Chromium, request: InspectRequest, options: PageOptions): Promise<Inspection> {
  const { width, height } = request;
  const evidence = new PageEvidence();
  const frames: InspectReport['frames'] = [];
  let info: InspectReport['info'] = null;
  let parameterProblems: InspectReport['parameterProblems'] = [];
  let layout: InspectReport['layout'] = [];
  let seen: InspectReport['seen'] = null;
  let captureError: CaptureError | null = null;
  let stage: Stage | null = null;
  const size = { width, height };
  const sheet = request.contactSheet ? new ContactSheet(request.atSeconds.length, size) : null;
  try {
    const layoutCollector = new LayoutCollector(size, request.accent ?? null);
    const castCollector = new CastCollector();
    // Matches a render's options, because a render may take the page over.
    const render = { transparent: false, parameters: null, aspect: null, skipsRedundantDraws: true };
    stage = await Stage.open(chromium, { ...options, ...render, size, evidence });
    info = stage.info;
    if (request.parameterSets.length > 0) parameterProblems = await stage.parameterProblems(request.parameterSets);
    let before: LumaFrame | null = null;
    for (const seconds of request.atSeconds) {
      await stage.seek(seconds);
      const frame = decodeFrame(await stage.capture('png'));
      frames.push({ seconds, contrast: contrast(frame), change: before && change(before, frame), sha256: frame.sha256 });
      before = frame;
      sheet?.add(frame, seconds);
      await castCollector.inspect(stage);
      await layoutCollector.inspect(stage, seconds, frame);
    }
    layout = await layoutCollector.finish(stage);
    seen = castCollector.seen(layoutCollector.texts);
  } catch (error) {
    await stage?.[Symbol.asyncDispose]();
    stage = null;
    if (!(error instanceof CaptureError) || error.isRetryable || error.reason === 'unreachable') throw error;
    captureError = error;
  }
  const messages = [...evidence.messages];
  if (captureError) messages.push({ level: 'error', text: captureError.message });
  const contactSheet = sheet?.toJpeg()?.toString('base64') ?? null;
  return { report: { info, console: messages, frames, parameterProblems, layout, seen, contactSheet }, captureError, stage };
}
