import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ApplyRequest, ApplyResult } from '#contract/sandbox/answers.ts';
import { appliedCodeSchema } from '#contract/tools.ts';
import { anyChanges, anyFiles, expected } from '../../test/fixtures/apply.ts';
import { toolContextOver } from '../../test/fixtures/tool-context.ts';
import { SandboxdError } from '../sandbox/sandbox.ts';
import { applyCode } from './apply.ts';
import { typeCheck } from './checks/type-check.ts';
import { generateCode } from './code.ts';

const actions = { nothing: 'create', file: 'update', any: 'update' } as const;
const compilerSays = "src/a.ts(1,1): error TS2304: Cannot find name 'bal'.\n";

describe('apply_code', () => {
  it('G1: always returns success, processedFiles, deploymentStatus and error, and lists no unchanged file as changed', async () => {
    await fc.assert(
      fc.asyncProperty(anyFiles, anyChanges, fc.boolean(), fc.boolean(), async (before, changes, compiles, runs) => {
        const files = changes.map(({ path, content, expects }) => {
          if (content === null) return { path: `src/${path}`, action: 'delete' };
          return { path: `src/${path}`, content, action: actions[expects] };
        });
        const told: unknown[] = [];
        const context = toolContextOver(
          {
            async applyFiles(request): Promise<ApplyResult> {
              expect(request.check).toBe(typeCheck.command);
              const own = request.changes.map((change) => ({ ...change, path: change.path.slice('src/'.length) }));
              const { refusal } = expected(before, own);
              if (refusal !== null) throw new SandboxdError(refusal, 'refused', { path: 'src/a.ts' });
              if (!compiles) return { applied: false, check: { exitCode: 2, timedOut: false, output: compilerSays } };
              return {
                applied: true,
                written: own.filter(({ content }) => content !== null).map(({ path }) => ({ path, sizeBytes: 1 })),
                deleted: own.filter(({ content }) => content === null).map(({ path }) => path),
              };
            },
            previewStatus: async () => ({ state: runs ? 'running' : 'stopped', port: null, log: '', problems: [], revision: 1 }),
          },
          { emit: async (...bodies) => void told.push(...bodies) },
        );
        const answer = await applyCode.call({ rationale: 'A test', files }, context);
        if (answer.status === 'suspended') throw new Error('the call was suspended');
        const { success, processedFiles, deploymentStatus, error } = appliedCodeSchema.parse(
          answer.status === 'completed' ? answer.output : answer.details,
        );
        expect(success).toBe(answer.status === 'completed');
        expect(processedFiles).toHaveLength(success ? files.length : 0);
        expect(told).toHaveLength(processedFiles.length);
        const deployed = runs ? 'live' : 'written';
        expect(deploymentStatus).toBe(success ? deployed : 'unchanged');
        if (answer.status === 'error') expect(error).toEqual({ code: answer.code, message: answer.message });
        else expect(error).toBeNull();
        expect(error?.code !== 'APPLY_FAILED' || error.message.includes('TS2304')).toBe(true);
      }),
      { numRuns: 100 },
    );
  });

  it('G2: sends no request to the sandbox if one of the paths is not writable', async () => {
    const good = { path: 'src/a.ts', action: 'create', content: '' };
    for (const path of [
      '../a.ts',
      '/a.ts',
      'src/a\0.ts',
      'src/con',
      '.env',
      'other/a.ts',
      '.git/config',
      'node_modules/a/b.js',
    ]) {
      const answer = await applyCode.call({ rationale: 'A test', files: [good, { ...good, path }] }, toolContextOver({}));
      expect(answer, path).toMatchObject({
        status: 'error',
        code: 'INVALID_PATH',
        details: { success: false, processedFiles: [] },
      });
    }
  });

  it('A7: applies the files of one generator response in one transaction, and uses the last version of a duplicate path', async () => {
    const requests: ApplyRequest[] = [];
    const told: unknown[] = [];
    const context = toolContextOver(
      {
        listFiles: async () => ({ files: [], complete: true }),
        async applyFiles(request) {
          requests.push(request);
          return { applied: true, written: [{ path: 'src/a.ts', sizeBytes: 2 }], deleted: ['src/b.ts'] };
        },
      },
      {
        emit: async (...bodies) => void told.push(...bodies),
        checkGenerated: async () => ({ problems: [], warnings: [], differences: [], info: null, contactSheet: null }),
        generate: async () => ({
          files: [
            { path: 'src/a.ts', content: '1' },
            { path: 'src/a.ts', content: '22' },
          ],
          deleted: ['src/b.ts', 'src/never.ts'],
          summary: 'Done',
        }),
      },
    );
    const answer = await generateCode.call({ task: 'modify_existing', files: ['src/a.ts'], change: 'x' }, context);
    expect(answer).toMatchObject({
      status: 'completed',
      output: { files: [{ path: 'src/a.ts', size_bytes: 2 }], deleted: ['src/b.ts', 'src/never.ts'] },
    });
    expect(requests.map(({ changes }) => changes.map(({ path, content, expects }) => [path, content, expects]))).toEqual([
      [
        ['src/a.ts', '22', 'any'],
        ['src/b.ts', null, 'any'],
        ['src/never.ts', null, 'any'],
      ],
    ]);
    expect(told).toEqual([
      { type: 'file.written', path: 'src/a.ts', sizeBytes: 2 },
      { type: 'file.deleted', path: 'src/b.ts' },
    ]);
  });
});
