import { createInterface } from 'node:readline';
import { errorMessage, KodaError } from '#contract/errors.ts';
import { McpConnection } from './connection.ts';
import { InputCheck } from './input-check.ts';
import { limitedResult } from './limited-result.ts';
import { beatIntervalMs, type Command, type Question, type Report } from './protocol.ts';
import { openTransport, secretsOf } from './transport.ts';

/**
 * The process that holds the connections to servers of the operator's choice. Whatever they send is parsed, checked and limited
 * here, so that it cannot hold up the app. It speaks JSON lines on its standard input and output, and ends with its input.
 */
const connections = new Map<number, McpConnection>();
const running = new Map<number, AbortController>();
const inputs = new InputCheck();

function report(line: Report): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

function open({ connection: id, name, endpoint, version, timeouts }: Extract<Command, { type: 'open' }>): void {
  const connection = new McpConnection({
    ...{ name, version, timeouts, secrets: secretsOf(endpoint) },
    open: (fail) => openTransport(endpoint, fail),
    onChange({ hasNewTools }) {
      if (hasNewTools) for (const tool of connection.tools) report({ type: 'tool', connection: id, tool });
      report({ type: 'state', connection: id, state: connection.state, error: connection.error, hasNewTools });
    },
  });
  connections.set(id, connection);
  connection.start();
}

async function answer(question: Question, connection: McpConnection, signal: AbortSignal): Promise<unknown> {
  switch (question.type) {
    case 'connect':
      await connection.connect();
      return null;
    case 'check': {
      const tool = connection.tools.find(({ name, digest }) => name === question.tool && digest === question.digest);
      return tool === undefined ? ['input: the tool has changed'] : await inputs.problemsOf(tool, question.input);
    }
    case 'call':
      return limitedResult(await connection.call(question.tool, question.input, { signal }));
  }
}

async function respond(question: Extract<Command, Question>): Promise<void> {
  const { request, connection: id } = question;
  const controller = new AbortController();
  running.set(request, controller);
  try {
    const connection = connections.get(id);
    if (connection === undefined) throw new KodaError('SERVICE_UNAVAILABLE', 'The MCP server was removed.');
    report({ type: 'answer', request, value: await answer(question, connection, controller.signal) });
  } catch (error) {
    const { code, message, details } = error instanceof KodaError ? error : new KodaError('INTERNAL_ERROR', errorMessage(error));
    report({ type: 'failure', request, code, message, details: details ?? {} });
  } finally {
    running.delete(request);
  }
}

function handle(command: Command): void {
  switch (command.type) {
    case 'open':
      open(command);
      return;
    case 'close':
      void connections.get(command.connection)?.close();
      connections.delete(command.connection);
      return;
    case 'cancel':
      running.get(command.request)?.abort(new KodaError('CANCELLED', 'The call was cancelled.'));
      return;
    default:
      void respond(command);
  }
}

setInterval(() => report({ type: 'beat' }), beatIntervalMs);
report({ type: 'beat' });
for await (const line of createInterface({ input: process.stdin })) handle(JSON.parse(line) as Command);
await Promise.all([...connections.values()].map((connection) => connection.close()));
process.exit();
