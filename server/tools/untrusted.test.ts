import { expect, it } from 'vitest';
import { availableTools } from './catalogue.ts';
import { readsUntrusted } from './untrusted.ts';

it('M8: results of searches, pages, commands and files may contain what others wrote', () => {
  const tools = availableTools({ searxngUrl: 'http://localhost:8888', speech: null });
  const trusted = tools.filter((tool) => !readsUntrusted(tool)).map(({ name }) => name);
  expect(trusted.toSorted()).toEqual([
    ...['add_message', 'apply_code', 'file_append', 'file_edit', 'generate_audio', 'generate_code', 'generate_image'],
    ...[
      'plan_advance',
      'render_final',
      'render_preview',
      'sandbox_create',
      'sandbox_destroy',
      'sandbox_write_file',
      'set_thinking',
    ],
    ...['show_surface', 'update_todo'],
  ]);
  expect(readsUntrusted({ category: 'outside', readOnly: false })).toBe(true);
});
