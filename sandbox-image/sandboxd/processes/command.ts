import type { ExecRequest } from '#contract/sandbox/answers.ts';
import { existingFolder, insideTarget, openFolder } from '../files/workspace.ts';
import { errnoOf, invalidRequest, ProtocolError } from '../http.ts';

export async function commandFolder(workspace: string, request: ExecRequest): Promise<string> {
  if (request.command.includes('\0')) throw invalidRequest('The command contains a NUL character.');
  const { path, segments } = existingFolder(workspace, request.cwd ?? '');
  if (segments.length === 0) return workspace;
  try {
    using folder = openFolder(workspace, segments, { create: false, links: 'inside' });
    void folder;
    return [workspace, ...insideTarget(workspace, segments)].join('/');
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
    throw new ProtocolError('FILE_NOT_FOUND', `The folder "${path}" does not exist.`, { path, similar: [] });
  }
}
