import type { Command } from 'commander';
import type { CommandContext } from '../../../cli/client.ts';
import { addScene, listScenes, moveScene, removeScene, setFields, showFormats } from './scenes.ts';

const examples = `
Examples:
  koda scenes prj_… list
  koda scenes prj_… set scene-2 title "What we learned"
  koda scenes prj_… set 2 items.3.text Tea
  koda scenes prj_… set 2 --props '{"title": "Shopping", "items": [{"text": "Tea", "icon": null, "done": true}]}'
  koda scenes prj_… add quote --after 2 --props '{"text": "Write it down.", "author": "Ada", …}'
  koda scenes prj_… move scene-4 --after start
  koda scenes prj_… remove 3

Name a scene by its id or its number. Values are JSON or plain text. “koda formats <id>” shows the fields of a format.`;

export function sceneCommands(program: Command, context: () => CommandContext): void {
  program
    .command('formats')
    .description('list the scene formats, or show one with its fields and an example')
    .argument('[id]', 'format id')
    .option('--json', 'print as JSON, with the JSON Schema of the fields', false)
    .action((id: string | undefined, { json }: { json: boolean }) => showFormats(id ?? null, json, context()));

  const scenes = program
    .command('scenes')
    .usage('<project> [list|set|add|move|remove] [options]')
    .description('list or edit a film’s scenes')
    .argument('<project>', 'project id')
    .argument('[action]', 'list, set, add, move or remove', 'list')
    .argument('[name...]', 'set: <scene> <field> <value…>; add: <format>; move and remove: <scene>')
    .option('--json', 'list: print the document as JSON', false)
    .option('--props <json>', 'set and add: fields as a JSON object (add: the default is the format’s example)')
    .option('--after <scene>', 'add and move: the scene to place it after, or start')
    .addHelpText('after', examples);
  scenes.action(
    (projectId: string, action: string, names: string[], flags: { json: boolean; props?: string; after?: string }) => {
      const [first, field = null, ...values] = names;
      const props = flags.props ?? null;
      if (action === 'list') return listScenes(projectId, flags.json, context());
      if (!['set', 'add', 'move', 'remove'].includes(action))
        return scenes.error(`error: unknown action "${action}"; use list, set, add, move or remove`);
      if (first === undefined) return scenes.error(`error: name the ${action === 'add' ? 'format' : 'scene'} after "${action}"`);
      switch (action) {
        case 'set':
          return setFields(projectId, first, { field, values, props }, context());
        case 'add':
          return addScene(projectId, first, { props, after: flags.after ?? null }, context());
        case 'move':
          if (flags.after === undefined) return scenes.error('error: "move" needs --after <scene>, or --after start');
          return moveScene(projectId, first, flags.after, context());
        default:
          return removeScene(projectId, first, context());
      }
    },
  );
}
