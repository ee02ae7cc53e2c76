import type { InspectReport, InspectRequest, ScreenshotRequest } from '../../../server/contract/sandboxd.ts';
import { CastWatch } from './cast-watch.ts';
import type { Chromium } from './chromium.ts';
import { ContactSheet } from './contact-sheet.ts';
import { CaptureFault } from './faults.ts';
import { change, contrast, decodeFrame, type LumaFrame } from './frame-analysis.ts';
import { LayoutWatch } from './layout-watch.ts';
import { PageEvidence } from './page-evidence.ts';
import { Stage, type StageLimits } from './stage.ts';

export interface PageOptions {
  readonly origin: string;
  readonly limits: StageLimits;
  readonly signal: AbortSignal;
}

/** The page at one moment, as PNG or JPEG bytes. Throws CaptureFault. */
export async function takeScreenshot(chromium: Chromium, request: ScreenshotRequest, options: PageOptions): Promise<Buffer> {
  const { width, height, seekToSeconds, format, quality } = request;
  await using stage = await Stage.open(chromium, {
    ...options,
    size: { width, height },
    transparent: false,
    parameters: null,
    sparesCanvases: false,
    evidence: new PageEvidence(),
  });
  await stage.seek(seekToSeconds);
  return await stage.capture(format, quality);
}

export interface Inspection {
  readonly report: InspectReport;
  readonly fault: CaptureFault | null;
  /** The page, still open and the caller's to close; null when it failed. */
  readonly stage: Stage | null;
}

/**
 * Looks at a page: what it says of itself, its console, how its frames look and what stands where at some moments. A page
 * that fails is a finding and not an error: the failure is the last error message of the report. Throws
 * CaptureFault only when the browser failed (`blocked` is the page's doing and is a finding, too).
 */
export async function inspectPage(chromium: Chromium, request: InspectRequest, options: PageOptions): Promise<Inspection> {
  const { width, height } = request;
  const evidence = new PageEvidence();
  const frames: InspectReport['frames'] = [];
  let info: InspectReport['info'] = null;
  let parameterProblems: InspectReport['parameterProblems'] = [];
  let layout: InspectReport['layout'] = [];
  let seen: InspectReport['seen'] = null;
  let fault: CaptureFault | null = null;
  let stage: Stage | null = null;
  const size = { width, height };
  const sheet = request.contactSheet ? new ContactSheet(request.atSeconds.length, size) : null;
  try {
    const watch = new LayoutWatch(size);
    const castWatch = new CastWatch();
    // A render may take the page over.
    const render = { transparent: false, parameters: null, sparesCanvases: true };
    stage = await Stage.open(chromium, { ...options, ...render, size, evidence });
    info = stage.info;
    if (request.parameterSets.length > 0) parameterProblems = await stage.parameterProblems(request.parameterSets);
    let before: LumaFrame | null = null;
    for (const seconds of request.atSeconds) {
      await stage.seek(seconds);
      const frame = decodeFrame(await stage.capture('png'));
      frames.push({ seconds, contrast: contrast(frame), change: before && change(before, frame), sha256: frame.sha256 });
      before = frame;
      sheet?.add(frame);
      await castWatch.look(stage);
      await watch.look(stage, seconds, frame);
    }
    layout = await watch.finish(stage);
    seen = castWatch.seen(watch.texts);
  } catch (error) {
    await stage?.[Symbol.asyncDispose]();
    stage = null;
    if (!(error instanceof CaptureFault) || error.mayPass || error.reason === 'unreachable') throw error;
    fault = error;
  }
  const messages = [...evidence.messages];
  if (fault) messages.push({ level: 'error', text: fault.message });
  const contactSheet = sheet?.toJpeg()?.toString('base64') ?? null;
  return { report: { info, console: messages, frames, parameterProblems, layout, seen, contactSheet }, fault, stage };
}
