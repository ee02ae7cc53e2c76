import { Readable } from 'node:stream';
import type { Asset } from '#contract/project.ts';
import type { ToolInput } from '#contract/tools.ts';
import { svgProblem } from '../storage/svg-check.ts';
import type { ToolContext } from './context.ts';
import { recordingOf, type SpeechServer } from './speech-server.ts';
import { completed, defineTool, failed, type OwnTool, workPhases } from './tool.ts';

export const generateImage = defineTool('generate_image', {
  category: 'file',
  risk: 'low',
  timeoutMs: 120_000,
  phases: workPhases,
  label: ({ name }) => `Making the image ${name}`,
  async run({ name, seek_to: seekToSeconds, svg, width, height }, context) {
    const problem = svg === undefined ? null : svgProblem(Buffer.from(svg));
    if (problem !== null)
      return failed('UNSUPPORTED_TYPE', `The SVG was rejected: ${problem}. Use shapes, text and images within the file alone.`);
    const { sandbox } = await context.sandbox();
    const call = { signal: context.signal };
    const png =
      svg === undefined
        ? await sandbox.screenshot({ seekToSeconds: seekToSeconds ?? 0, width, height, format: 'png' }, call)
        : await sandbox.drawSvg({ svg, maxSide: Math.max(width, height) }, call);
    const asset = await context.addAsset({ name: `${name}.png`, content: Readable.from([png]) });
    const { width: ownWidth, height: ownHeight } = asset;
    return completed({ ...placeOf(asset), width: ownWidth, height: ownHeight }, `Made ${asset.name}, ${ownWidth}×${ownHeight}`);
  },
});

/** Returns the tool that makes sounds. `speech`: the server that speaks texts; `null` for the sandbox's own voice. */
export function createAudioTool(speech: SpeechServer | null): OwnTool {
  return defineTool('generate_audio', {
    category: 'file',
    // The text may leave this machine.
    risk: speech === null ? 'low' : 'medium',
    timeoutMs: 300_000,
    phases: workPhases,
    label: ({ name }) => `Making the sound ${name}`,
    async run(input, context) {
      const { base64, seconds, lufs, peakDb } = await soundOf(input, speech, context);
      const content = Readable.from([Buffer.from(base64, 'base64')]);
      const asset = await context.addAsset({ name: `${input.name}.mp3`, content });
      const length = Number(seconds.toFixed(2));
      return completed(
        { ...placeOf(asset), seconds: length, loudness_lufs: lufs, true_peak_db: peakDb },
        `Made ${asset.name}, ${length} s`,
      );
    },
  });
}

async function soundOf({ speech, notes }: ToolInput<'generate_audio'>, server: SpeechServer | null, context: ToolContext) {
  const call = { signal: context.signal };
  if (speech !== undefined && server !== null) {
    const recording = await recordingOf(speech, server, call);
    const { sandbox } = await context.sandbox();
    return await sandbox.normaliseSound(Readable.from([recording]), call);
  }
  const { sandbox } = await context.sandbox();
  return await sandbox.makeSound(
    speech === undefined ? { source: 'notes', notes: notes ?? [] } : { source: 'speech', speech },
    call,
  );
}

/** `src` is the asset's address for the code and fields of a film. */
function placeOf({ path, sizeBytes }: Asset) {
  return { path, src: path.replace(/^public/, ''), size_bytes: sizeBytes };
}
