import { describe, expect, it } from 'vitest';
import { ApiError } from '../api/client.ts';
import type { UploadState } from '../uploads/upload.ts';
import { type Attachment, addFiles } from './attachment-list.tsx';
import { abandon, type Idea, newStart, type StartServer, startProject, UploadsFailed } from './start-project.ts';

const idea: Idea = { prompt: 'A ball' };
const pictures = (...names: string[]): readonly Attachment[] =>
  addFiles(
    [],
    names.map((name) => new File([name], name)),
  ).attached;

/** Simulates the server: records requests, and rejects uploads whose names are in `refused`. */
function scripted() {
  const asked: string[] = [];
  const refused = new Set<string>();
  const hanging = new Set<string>();
  let projects = 0;
  const server: StartServer = {
    async create({ prompt }, { start }) {
      asked.push(`create ${prompt}${start ? ' and start' : ''}`);
      projects += 1;
      return `prj_${projects}`;
    },
    async upload(projectId, file, { signal, onProgress }) {
      asked.push(`upload ${file.name} to ${projectId}`);
      onProgress?.(0.5);
      if (hanging.has(file.name)) {
        await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      }
      if (refused.has(file.name)) throw new ApiError('UNSUPPORTED_TYPE', 'Not a picture.', { status: 415, recovery: null });
      return `ast_${file.name}`;
    },
    removeUpload: async (_, assetId) => void asked.push(`remove ${assetId}`),
    async write(projectId, { path, content }, { seen }) {
      asked.push(`write ${path} (${content.length} bytes, ${seen ?? 'new'}) to ${projectId}`);
      if (refused.has(path)) throw new ApiError('SERVICE_UNAVAILABLE', 'Starting.', { status: 503, recovery: null });
      return `tag-${content.length}`;
    },
    say: async (projectId, content) => void asked.push(`say ${content} to ${projectId}`),
    discard: async (projectId) => void asked.push(`discard ${projectId}`),
  };
  return { server, asked, refused, hanging };
}

function options() {
  const all = new AbortController();
  const each = new Map<string, AbortController>();
  const told: [string, UploadState][] = [];
  const controllerOf = (id: string) => {
    const controller = each.get(id) ?? new AbortController();
    each.set(id, controller);
    return controller;
  };
  return {
    all,
    controllerOf,
    told,
    signal: all.signal,
    signalOf: (id: string) => controllerOf(id).signal,
    onFile: (id: string, state: UploadState) => void told.push([id, state]),
  };
}

describe('starting a project', () => {
  it('takes one request without files', async () => {
    const { server, asked } = scripted();
    expect(await startProject(idea, [], newStart(), options(), server)).toBe('prj_1');
    expect(asked).toEqual(['create A ball and start']);
  });

  it('A25: starts the work once all files are uploaded', async () => {
    const { server, asked } = scripted();
    const [logo] = pictures('logo.png');
    const seen = options();
    await startProject(idea, logo ? [logo] : [], newStart(), seen, server);
    expect(asked).toEqual(['create A ball', 'upload logo.png to prj_1', 'say A ball to prj_1']);
    expect(seen.told.map(([, state]) => state)).toEqual([
      { kind: 'sending', share: 0 },
      { kind: 'sending', share: 0.5 },
      { kind: 'done' },
    ]);
  });

  it('A25: a rejected file delays the start, and a retry uploads only that file', async () => {
    const { server, asked, refused } = scripted();
    const attached = pictures('a.png', 'b.png');
    const [, b] = attached;
    const startState = newStart();
    const seen = options();
    refused.add('b.png');
    await expect(startProject(idea, attached, startState, seen, server)).rejects.toBeInstanceOf(UploadsFailed);
    expect(seen.told.findLast(([id]) => id === b?.id)?.[1]).toEqual({
      kind: 'failed',
      reason: 'Not a picture.',
      mayRetry: false,
    });
    expect(asked).not.toContain('say A ball to prj_1');
    refused.clear();
    asked.length = 0;
    expect(await startProject(idea, attached, startState, options(), server)).toBe('prj_1');
    expect(asked).toEqual(['upload b.png to prj_1', 'say A ball to prj_1']);
  });

  it('A25: an upload that was removed before a retry is deleted from the project', async () => {
    const { server, asked, refused } = scripted();
    const attached = pictures('a.png', 'b.png');
    const startState = newStart();
    refused.add('b.png');
    await startProject(idea, attached, startState, options(), server).catch(() => undefined);
    asked.length = 0;
    expect(await startProject(idea, [], startState, options(), server)).toBe('prj_1');
    expect(asked).toEqual(['remove ast_a.png', 'say A ball to prj_1']);
  });

  it('another idea after a failure creates another project and deletes the first', async () => {
    const { server, asked, refused } = scripted();
    const attached = pictures('a.png');
    const startState = newStart();
    refused.add('a.png');
    await startProject(idea, attached, startState, options(), server).catch(() => undefined);
    refused.clear();
    asked.length = 0;
    expect(await startProject({ ...idea, prompt: 'A cube' }, attached, startState, options(), server)).toBe('prj_2');
    expect(asked).toEqual(['discard prj_1', 'create A cube', 'upload a.png to prj_2', 'say A cube to prj_2']);
  });

  it('A25: skips a cancelled file and continues with the others', async () => {
    const { server, asked, hanging } = scripted();
    const attached = pictures('a.png', 'slow.png');
    const slow = attached[1]?.id ?? '';
    hanging.add('slow.png');
    const seen = options();
    const started = startProject(idea, attached, newStart(), seen, server);
    await new Promise((resolve) => setTimeout(resolve));
    seen.controllerOf(slow).abort();
    expect(await started).toBe('prj_1');
    expect(asked.at(-1)).toBe('say A ball to prj_1');
    expect(seen.told.filter(([id]) => id === slow).map(([, { kind }]) => kind)).toEqual(['sending', 'sending']);
  });

  it('keeps a project whose work may be running, unless it could not start', async () => {
    const { server, asked } = scripted();
    const startState = newStart();
    const busy: StartServer = {
      ...server,
      say: async () => {
        await abandon(startState, server);
        throw new Error('no answer');
      },
    };
    await expect(startProject(idea, pictures('a.png'), startState, options(), busy)).rejects.toThrow('no answer');
    expect(asked).not.toContain('discard prj_1');
    await abandon(startState, server);
    expect(asked).toContain('discard prj_1');
  });

  it('deletes everything that a cancelled start created', async () => {
    const { server, asked, hanging } = scripted();
    hanging.add('slow.png');
    const startState = newStart();
    const seen = options();
    const started = startProject(idea, pictures('slow.png'), startState, seen, server);
    await new Promise((resolve) => setTimeout(resolve));
    seen.all.abort(new Error('by the user'));
    await expect(started).rejects.toThrow('by the user');
    await abandon(startState, server);
    await abandon(startState, server);
    expect(asked.slice(2)).toEqual(['discard prj_1']);
    expect(startState).toEqual(newStart());
  });
});
