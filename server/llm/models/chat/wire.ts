import OpenAI, { APIConnectionError, APIError, APIUserAbortError } from 'openai';
import { z } from 'zod';
import type { Failure } from '../service/failures.ts';
import type { ModelService, Wire } from '../service/service-model.ts';
import { chatParams } from './request.ts';
import { chunksOf } from './response.ts';

/** Longer than a whole response may take (`response-timeouts.ts`), because some servers send nothing before the first token. */
const headersTimeoutMs = 1_000_000;

/** The error in a body of `{ "error": … }`, or the body itself of Mistral and older versions of vLLM. */
const errorSchema = z.looseObject({
  message: z.string(),
  type: z.string(),
  code: z.union([z.string(), z.number()]).nullable(),
});

export function chatWire({
  baseUrl,
  apiKey,
  authToken,
  fetch,
}: Pick<ModelService, 'baseUrl' | 'apiKey' | 'authToken' | 'fetch'>): Wire {
  const client = new OpenAI({
    baseURL: new URL(baseUrl).pathname === '/' ? new URL('/v1', baseUrl).href : baseUrl,
    // Without a key, which local servers do not need, the SDK would read one from the environment.
    apiKey: apiKey ?? authToken ?? 'none',
    adminAPIKey: null,
    organization: null,
    project: null,
    maxRetries: 0,
    timeout: headersTimeoutMs,
    logLevel: 'off',
    // A redirect would send the key to another address.
    fetchOptions: { redirect: 'manual' },
    fetch,
  });
  return {
    async send(request, { settings, signal }) {
      const { params, isJsonAnswer } = chatParams(request, settings);
      const chunks = await client.chat.completions.create(params, { signal });
      const answerTool = isJsonAnswer ? request.forcedTool : null;
      return (reading) => chunksOf(chunks, { ...reading, answerTool });
    },
    failureOf,
  };
}

function failureOf(error: unknown): Failure | null {
  if (error instanceof APIUserAbortError) return { type: 'stopped' };
  if (error instanceof APIConnectionError) return { type: 'unreachable', cause: error };
  // If a stream breaks, the SDK throws the error of `fetch`.
  if (error instanceof TypeError && error.cause instanceof Error) return { type: 'unreachable', cause: error };
  if (!(error instanceof APIError)) return null;
  const told = errorSchema.safeParse(error.error);
  return {
    type: 'refused',
    status: statusOf(error.status ?? null, told.data),
    headers: error.headers ?? null,
    requestId: error.requestID ?? null,
    text: `${error.message} ${JSON.stringify(error.error ?? '')}`,
    message: told.data?.message ?? null,
  };
}

/** Returns the status that fits an error: within a stream there is none, and Mistral reports an unknown model as a bad request. */
function statusOf(status: number | null, told: z.output<typeof errorSchema> | undefined): number | null {
  if (told?.type === 'invalid_model' || told?.code === 'model_not_found') return 404;
  if (status !== null) return status;
  if (told?.code === 'rate_limit_exceeded') return 429;
  const code = Number(told?.code);
  return code >= 400 && code < 600 ? code : null;
}
