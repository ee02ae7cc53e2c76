import type { WireFormat } from '../service/service-model.ts';

/** OpenAI's chat completions, which Mistral, llama.cpp, LM Studio, vLLM, Ollama and most other servers offer as well. */
export const chatApi: WireFormat = {
  kind: 'chat',
  api: 'chat completions API',
  connect: async (connection) => (await import('./wire.ts')).chatWire(connection),
};
