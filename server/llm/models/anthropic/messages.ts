import type { WireFormat } from '../service/service-model.ts';

/** The Messages API, of Anthropic's service or a self-hosted one. */
export const messagesApi: WireFormat = {
  kind: 'anthropic',
  api: 'Messages API',
  connect: async (connection) => (await import('./wire.ts')).messagesWire(connection),
};
