import type { Phase } from '#contract/project.ts';
import type { ToolName } from '#contract/tools.ts';
import { failed, type Tool, type ToolRegistry, type ToolResult } from './tool.ts';

/** What to use instead of a tool that a kind does not offer. */
const substitutes: Partial<Record<ToolName, ToolName>> = {
  sandbox_write_file: 'apply_code',
  file_append: 'file_edit',
  sandbox_list_files: 'sandbox_run_command',
  match_glob: 'sandbox_run_command',
  match_grep: 'sandbox_run_command',
  sandbox_process: 'sandbox_run_command',
  shell_exec: 'sandbox_run_command',
  shell_view: 'sandbox_run_command',
  shell_send: 'sandbox_run_command',
  shell_wait: 'sandbox_run_command',
  shell_kill: 'sandbox_run_command',
  browser_navigate: 'sandbox_screenshot',
  browser_click: 'sandbox_screenshot',
  browser_scroll: 'sandbox_screenshot',
  browser_screenshot: 'sandbox_screenshot',
  browser_extract: 'sandbox_read_file',
  browser_console: 'sandbox_start_preview',
  plan_advance: 'update_todo',
  show_surface: 'add_message',
};

/** Returns the error for a call to a tool that does not exist or is not offered now, or `null` if it may be called. */
export function refusalOf(
  name: string,
  { offered, tools, phase }: { offered: readonly Tool[]; tools: ToolRegistry; phase: Phase },
): Extract<ToolResult, { status: 'error' }> | null {
  const now = offered.filter((tool) => tool.phases.includes(phase));
  if (now.some((tool) => tool.name === name)) return null;
  const list = now.map((tool) => tool.name).join(', ');
  if (offered.some((tool) => tool.name === name))
    return failed('UNKNOWN_TOOL', `${name} is not available in the phase "${phase}". Available now: ${list}.`);
  if (tools.find(name) !== null) {
    const other = substitutes[name as ToolName];
    const isOffered = now.some((tool) => tool.name === other);
    return failed('UNKNOWN_TOOL', `${name} is not offered here. Use ${isOffered ? other : `one of: ${list}`}.`);
  }
  for (const tool of now) {
    const field = fieldWith(tool.inputSchema, name, null);
    if (field !== null)
      return failed(
        'UNKNOWN_TOOL',
        `"${name}" is not a tool but a value of "${field}": call ${tool.name} with "${field}": "${name}".`,
      );
  }
  return failed('UNKNOWN_TOOL', `The tool "${name}" does not exist. Use one of: ${list}.`);
}

/** Returns the name of the field in a JSON schema that may have a value, or `null`. */
function fieldWith(schema: unknown, value: string, field: string | null): string | null {
  if (typeof schema !== 'object' || schema === null) return null;
  if (Array.isArray(schema))
    return firstField(
      schema.map((part) => [field, part] as const),
      value,
    );
  const isValue = ('const' in schema && schema.const === value) || ('enum' in schema && includes(schema.enum, value));
  if (isValue && field !== null) return field;
  const { properties = {}, ...others } = schema as { properties?: Record<string, unknown> };
  return firstField([...Object.entries(properties), ...Object.values(others).map((part) => [field, part] as const)], value);
}

function firstField(parts: readonly (readonly [string | null, unknown])[], value: string): string | null {
  for (const [field, part] of parts) {
    const found = fieldWith(part, value, field);
    if (found !== null) return found;
  }
  return null;
}

const includes = (list: unknown, value: string): boolean => Array.isArray(list) && list.includes(value);
