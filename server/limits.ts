import { maxPromptCharacters } from '#contract/project.ts';
import type { Limit } from '#contract/settings.ts';
import type { Config } from './lib/config.ts';
import type { Kind } from './projects/kind.ts';

interface Sources {
  readonly config: Config;
  readonly run: Kind['limits'];
  readonly sandboxes: number;
  readonly renders: number;
  readonly uploadBytes: number;
}

/** Lists this installation's limits, each with its environment variable. */
export function limitsOf({ config, run, sandboxes, renders, uploadBytes }: Sources): Limit[] {
  const { models } = config;
  return [
    { id: 'sandboxes', value: sandboxes, unit: 'count', variable: 'KODA_SANDBOXES' },
    { id: 'sandbox-memory', value: config.sandboxMemoryBytes, unit: 'bytes', variable: 'KODA_SANDBOX_MEMORY_MB' },
    { id: 'sandbox-cpus', value: config.sandboxCpus, unit: 'count', variable: 'KODA_SANDBOX_CPUS' },
    { id: 'sandbox-disk', value: config.sandboxDiskBytes, unit: 'bytes', variable: 'KODA_SANDBOX_DISK_MB' },
    {
      id: 'sandbox-disk-reserve',
      value: config.sandboxDiskReserveBytes,
      unit: 'bytes',
      variable: 'KODA_SANDBOX_DISK_RESERVE_MB',
    },
    { id: 'renders', value: renders, unit: 'count', variable: 'KODA_RENDERS' },
    { id: 'render-workers', value: config.renderWorkers, unit: 'count', variable: 'KODA_RENDER_WORKERS' },
    { id: 'data-size', value: config.diskLimitBytes, unit: 'bytes', variable: 'KODA_DISK_LIMIT_MB' },
    { id: 'project-size', value: config.projectDiskBytes, unit: 'bytes', variable: 'KODA_PROJECT_DISK_MB' },
    { id: 'disk-reserve', value: config.diskReserveBytes, unit: 'bytes', variable: 'KODA_DISK_RESERVE_MB' },
    { id: 'upload-size', value: uploadBytes, unit: 'bytes', variable: null },
    { id: 'prompt-length', value: maxPromptCharacters, unit: 'characters', variable: null },
    { id: 'run-steps', value: run.maxSteps, unit: 'count', variable: 'KODA_RUN_MAX_STEPS' },
    { id: 'run-minutes', value: run.maxRunMinutes, unit: 'minutes', variable: 'KODA_RUN_MAX_MINUTES' },
    { id: 'run-tokens', value: run.maxTokens, unit: 'tokens', variable: 'KODA_RUN_MAX_TOKENS' },
    { id: 'run-cost', value: run.maxCostUsd, unit: 'usd', variable: 'KODA_RUN_MAX_COST_USD' },
    { id: 'answer-tokens', value: models.maxOutputTokens, unit: 'tokens', variable: 'KODA_MODEL_OUTPUT_TOKENS' },
    { id: 'model-silence', value: config.modelSilenceMs / 1000, unit: 'seconds', variable: 'KODA_MODEL_SILENCE_SECONDS' },
  ];
}
