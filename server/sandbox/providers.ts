import type { CircuitBreaker } from '../lib/circuit-breaker.ts';
import type { Config } from '../lib/config.ts';
import { BrokerClient } from './broker-client.ts';
import { DockerEngine } from './docker-engine.ts';
import { DockerProvider } from './docker-provider.ts';
import { ProcessProvider } from './process-provider.ts';
import type { SandboxProvider } from './sandbox.ts';
import { openTokens } from './tokens.ts';

export function createProvider(config: Config, { dockerBreaker }: { dockerBreaker: CircuitBreaker }): SandboxProvider {
  const tokens = openTokens(config.dataDir);
  const { instance, socketsDir } = config;
  if (config.sandbox === 'process') {
    // Child processes need a PATH. The provider passes on only the variables that they need.
    return new ProcessProvider({ instance, socketsDir, tokens, environment: process.env });
  }
  const engine = config.brokerSocket ? new BrokerClient(config.brokerSocket) : createEngine(config);
  return new DockerProvider({
    engine,
    breaker: dockerBreaker,
    instance,
    tokens,
    socketsDir,
    memoryBytes: config.sandboxMemoryBytes,
    cpus: config.sandboxCpus,
    diskBytes: config.sandboxDiskBytes,
    diskReserveBytes: config.sandboxDiskReserveBytes,
  });
}

/** Creates direct access to the container engine, for the broker and for development without one. */
export function createEngine(config: Config): DockerEngine {
  const sockets = config.socketsVolume ? { volume: config.socketsVolume } : { hostFolder: config.socketsDir };
  const { instance, sandboxImage: image, sandboxRuntime: runtime, socketsDir } = config;
  return new DockerEngine(config.dockerSocket, { instance, image, runtime, sockets, socketsDir });
}
