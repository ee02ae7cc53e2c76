import type {
  CompleteRequest,
  CompleteResult,
  ListResourcesResult,
  ReadResourceResult,
  ResourceTemplate,
} from '@modelcontextprotocol/sdk/types.js';
import { KodaError } from '#contract/errors.ts';
import { type Render, renderFiles } from '#contract/render.ts';
import { screenshot } from '../tools/preview.ts';
import { renderSummary, stateOf } from './state.ts';
import { assertVisible, callProjectTool, type ToolCall } from './tool.ts';
import { readBytes, textOf } from './tools/files.ts';
import { visibleProjects } from './tools/projects.ts';
import { parseUri, projectUri, templates, videoUri } from './uris.ts';

/** Largest video in a response. Of a larger one, the resource has the address to download it from. */
const maxVideoBytes = 8 * 1024 ** 2;
const projectsPerPage = 20;
const completions = 100;

export const resourceTemplates: ResourceTemplate[] = [
  {
    uriTemplate: templates.project,
    name: 'project',
    title: 'Project',
    description: 'A project’s phase, plan, todos and renders',
    mimeType: 'application/json',
  },
  { uriTemplate: templates.file, name: 'file', title: 'File', description: 'A file of a project, byte for byte' },
  {
    uriTemplate: templates.still,
    name: 'still',
    title: 'Still',
    description: 'The film at a time in seconds, as in its live preview',
    mimeType: 'image/jpeg',
  },
  {
    uriTemplate: templates.video,
    name: 'video',
    title: 'Video',
    description: `A finished render, up to ${maxVideoBytes / 1024 ** 2} MB; of a larger one, its download address`,
  },
];

/** Lists projects and their finished renders. Files, which need a sandbox, are listed by list_files. */
export async function listResources(call: ToolCall, cursor: string | undefined): Promise<ListResourcesResult> {
  const { items, nextCursor } = await visibleProjects(call, { cursor, limit: projectsPerPage });
  const resources: ListResourcesResult['resources'] = [];
  for (const { id, name, prompt } of items) {
    resources.push({ uri: projectUri(id), name, description: prompt.slice(0, 200), mimeType: 'application/json' });
    for (const render of await call.studio.renders.list(id)) {
      if (render.status !== 'complete') continue;
      const { width, height, kind, format } = render.settings;
      resources.push({
        uri: videoUri(id, render.id),
        name: `${name} (${kind}, ${width}×${height})`,
        mimeType: renderFiles[format].contentType,
        ...(render.probe && { size: render.probe.sizeBytes }),
      });
    }
  }
  return { resources, ...(nextCursor !== null && { nextCursor }) };
}

export async function readResource(call: ToolCall, uri: string): Promise<ReadResourceResult> {
  const address = parseUri(uri);
  if (address === null) throw new KodaError('NOT_FOUND', `There is no resource ${uri.slice(0, 300)}.`);
  const { projectId } = address;
  assertVisible(call.caller, projectId);
  switch (address.type) {
    case 'project': {
      const text = JSON.stringify(await stateOf(call, projectId), null, 2);
      return { contents: [{ uri, mimeType: 'application/json', text }] };
    }
    case 'file': {
      const { bytes, mediaType } = await readBytes(call, projectId, address.path);
      const text = textOf(bytes);
      return { contents: [{ uri, mimeType: mediaType, ...(text === null ? { blob: bytes.toString('base64') } : { text }) }] };
    }
    case 'still': {
      const input = { seek_to: address.seconds };
      const { images } = await callProjectTool(call, projectId, { name: screenshot.name, input });
      return { contents: images.map(({ mediaType, base64 }) => ({ uri, mimeType: mediaType, blob: base64 })) };
    }
    case 'video': {
      const render = await call.studio.renders.get(address.renderId);
      if (render.projectId !== projectId) throw new KodaError('NOT_FOUND', `There is no resource ${uri}.`);
      return { contents: [await videoContent(call, uri, render)] };
    }
  }
}

async function videoContent(
  { studio, address }: ToolCall,
  uri: string,
  render: Render,
): Promise<ReadResourceResult['contents'][number]> {
  const { videoUrl, probe, settings } = render;
  if (videoUrl === null || probe === null)
    throw new KodaError('NOT_FOUND', `This render has no file: it is ${render.status}.`, { recovery: 'list_renders' });
  if (probe.sizeBytes > maxVideoBytes) {
    return { uri, mimeType: 'application/json', text: JSON.stringify(renderSummary(render, address), null, 2) };
  }
  const { name, contentType } = renderFiles[settings.format];
  const bytes = await studio.renderedFile(render.id, name, { limitBytes: maxVideoBytes });
  return { uri, mimeType: contentType, blob: bytes.toString('base64') };
}

/** Completes a project by its id or name, a render by its id, and a path. */
export async function complete(call: ToolCall, { ref, argument, context }: CompleteRequest['params']): Promise<CompleteResult> {
  if (ref.type !== 'ref/resource') return completion([]);
  const projectId = context?.arguments?.['project_id'];
  switch (argument.name) {
    case 'project_id':
      return completion(await matchingProjects(call, argument.value));
    case 'render_id': {
      if (projectId === undefined) return completion([]);
      assertVisible(call.caller, projectId);
      const { renders } = await stateOf(call, projectId);
      return completion(renders.map(({ render_id: id }) => id).filter((id) => id.startsWith(argument.value)));
    }
    case 'path': {
      if (projectId === undefined) return completion([]);
      assertVisible(call.caller, projectId);
      const { files } = await call.studio.files(projectId, { signal: call.signal });
      return completion(
        files.filter(({ type, path }) => type === 'file' && path.startsWith(argument.value)).map(({ path }) => path),
      );
    }
    default:
      return completion([]);
  }
}

async function matchingProjects(call: ToolCall, text: string): Promise<string[]> {
  const search = text.startsWith('prj_') ? {} : { search: text };
  const { items } = await visibleProjects(call, { ...(text === '' ? {} : search), limit: completions });
  return items.map(({ id }) => id).filter((id) => !text.startsWith('prj_') || id.startsWith(text));
}

function completion(values: readonly string[]): CompleteResult {
  return {
    completion: { values: values.slice(0, completions), total: values.length, hasMore: values.length > completions },
  };
}
