import { formatBytes, formatDurationMs, formatSeconds } from '../../../server/contract/format.ts';
import { type Render, renderFiles } from '../../../server/contract/render.ts';
import { formatRules } from '../../../server/contract/render-rules.ts';
import { texts } from '../texts.ts';
import { partLabel } from './render-label.ts';

export interface Fact {
  readonly name: string;
  readonly value: string;
}

const words = texts.renders.facts;
const moment = (iso: string) =>
  new Date(iso).toLocaleString('en', { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', hour12: false });

/** What a render was made with and what came out, in the order in which one asks for it. Measured values before asked ones. */
export function factsOf({ settings, probe, renderTimeMs, createdAt, finishedAt, error }: Render): Fact[] {
  const { still } = renderFiles[settings.format];
  const codec = probe ? `${texts.renders.formats[settings.format]} (${probe.codec}, ${probe.pixelFormat})` : null;
  const facts: (Fact | null)[] = [
    error && fact(words.reason, error.message),
    fact(words.format, codec ?? texts.renders.formats[settings.format]),
    fact(words.frame, `${settings.width}×${settings.height}${still ? '' : `, ${settings.fps} fps`}`),
    fact(words.part, partLabel(settings.range, still)),
    probe && !still ? fact(words.length, formatSeconds(probe.durationSeconds)) : null,
    formatRules[settings.format].crf ? fact(words.quality, texts.renders.crf(settings.crf)) : null,
    settings.transparent ? fact(words.background, words.transparent) : null,
    probe && !still ? fact(words.pictures, picturesOf(probe)) : null,
    probe && !still ? fact(words.sound, soundOf(probe)) : null,
    probe?.colour ? fact(words.colour, probe.colour) : null,
    settings.parameters && fact(words.parameters, parametersOf(settings.parameters)),
    probe && fact(words.size, formatBytes(probe.sizeBytes)),
    probe?.verification ? fact(words.verified, verificationOf(probe.verification)) : null,
    fact(words.asked, moment(createdAt)),
    finishedAt === null ? null : fact(words.finished, moment(finishedAt)),
    renderTimeMs === null ? null : fact(words.took, formatDurationMs(renderTimeMs)),
  ];
  return facts.filter((one) => one !== null);
}

const fact = (name: string, value: string): Fact => ({ name, value });

function picturesOf({ frames, capturedFrames }: NonNullable<Render['probe']>): string {
  // A few known ones are drawn again as a proof, so there can be more than are new.
  const known = capturedFrames === null ? 0 : Math.max(0, frames - capturedFrames);
  return known === 0 ? String(frames) : `${frames} (${words.captured(frames - known, known)})`;
}

function soundOf({ audio }: NonNullable<Render['probe']>): string {
  return audio === null ? words.noSound : texts.renders.soundOf(audio.codec, audio.sampleRate / 1000, audio.channels);
}

function verificationOf(figures: NonNullable<NonNullable<Render['probe']>['verification']>): string {
  return words.verification(figures.frames, figures.meanPsnrDb.toFixed(1), figures.lowestPsnrDb.toFixed(1));
}

function parametersOf(parameters: NonNullable<Render['settings']['parameters']>): string {
  return Object.entries(parameters)
    .map(([name, value]) => `${name}: ${value}`)
    .join(', ');
}
