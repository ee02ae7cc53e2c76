import { z } from 'zod';
import { parameterLabels } from '../parameter-labels.ts';
import type { ActingStudio } from '../studio.ts';

/** Labels of the parameters that a call names, by their names. */
export type CallLabels = Readonly<Record<string, string>>;
export const callLabelsSchema = z.record(z.string(), z.string());

const namingSchema = z.object({
  film: z.string().optional(),
  schedule: z.string().optional(),
  videos: z.array(z.object({ parameters: z.record(z.string(), z.unknown()).default({}) })).default([]),
  source: z.object({ columns: z.record(z.string(), z.unknown()).default({}) }).default({ columns: {} }),
});

/** Enough to start the film's sandbox. */
const maxWaitMs = 20_000;

/**
 * Reads the labels from the film's page. Returns none if it does not answer soon or the film is being changed, because the question
 * that shows them must not wait for that. Throws if `signal` is aborted.
 */
export async function labelsInCall(
  input: unknown,
  { studio, signal }: { readonly studio: Pick<ActingStudio, 'parameters' | 'schedules'>; readonly signal: AbortSignal },
): Promise<CallLabels> {
  const { film, schedule, videos = [], source } = namingSchema.safeParse(input).data ?? {};
  const names = [
    ...new Set([...videos.flatMap(({ parameters }) => Object.keys(parameters)), ...Object.keys(source?.columns ?? {})]),
  ];
  if (names.length === 0) return {};
  const given = film ?? (await studio.schedules()).find(({ id }) => id === schedule)?.projectId;
  if (given === undefined) return {};
  const tooLong = new AbortController();
  try {
    const parameters = await studio.parameters(given, {
      signal: AbortSignal.any([signal, tooLong.signal, AbortSignal.timeout(maxWaitMs)]),
      async onWait(reason) {
        if (reason !== null) tooLong.abort();
      },
    });
    const labels = parameterLabels(parameters);
    return Object.fromEntries(names.map((name) => [name, labels.get(name) ?? name]));
  } catch {
    signal.throwIfAborted();
    return {};
  }
}
