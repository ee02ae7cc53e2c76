import type { Command } from 'commander';
import type { CommandContext } from '../../../cli/client.ts';
import type { Flags } from './app.ts';

const makeExamples = `
Examples:
  koda make --app "lend tools to neighbours" --yes
  koda make --app --start tool-library
  koda make --app --data guests.csv --yes

“koda make --app” is the same as “koda make-app”. The built-in author matches the words with its starting points.`;

const appExamples = `
Examples:
  koda app lists prj_…
  koda app add prj_… tools name=Ladder kind=Garden deposit=20
  koda app import prj_… tools tools.csv
  koda app export prj_… tools --out tools.csv
  koda app sql prj_… "select kind, count(*) from tools group by kind"
  koda app show prj_… > app.json && koda app edit prj_… app.json`;

/** Commands that only apps have. Their modules are loaded when a command runs. */
export function appCommands(program: Command, context: () => CommandContext): void {
  program
    .command('make-app')
    .description('plan, accept and build a web app from words, a starting point or a table')
    .argument('[prompt]', 'what the app is for')
    .option('--start <id>', 'the starting point; its id is the name of a choice on the home page')
    .option('--data <file>', 'make the app of a table (CSV), with its rows as records')
    .option('-y, --yes', 'accept the plan and the preview without asking', false)
    .option('--json', 'print the finished project as JSON', false)
    .addHelpText('after', makeExamples)
    .action(async (prompt: string | undefined, flags: { start?: string; data?: string; yes: boolean; json: boolean }) => {
      const { makeApp } = await import('./make-app.ts');
      const { start = null, data = null, yes, json } = flags;
      await makeApp({ prompt: prompt?.trim() || null, start, data, yes, json }, context());
    });

  const app = program
    .command('app')
    .description('read and change an app’s data and its document')
    .addHelpText('after', appExamples);
  const command = (name: string, description: string) =>
    app
      .command(name)
      .description(description)
      .argument('<project>', 'project id')
      .option('--json', 'print the result as JSON', false);
  const list = ['<list>', 'id or name of the list'] as const;

  command('lists', 'show the lists with their fields').action(async (id: string, flags: Flags) =>
    (await import('./app.ts')).showLists(id, flags, context()),
  );
  command('rows', 'show the records of a list')
    .argument(...list)
    .action(async (id: string, listId: string, flags: Flags) =>
      (await import('./app.ts')).showRows(id, listId, flags, context()),
    );
  command('add', 'add a record')
    .argument(...list)
    .argument('<field=value...>', 'values, as one would type them in the app')
    .action(async (id: string, listId: string, values: string[], flags: Flags) =>
      (await import('./app.ts')).addRecord(id, listId, values, flags, context()),
    );
  command('import', 'add the rows of a table; what fits no field becomes notes')
    .argument('<list>', 'id of the list')
    .argument('<file>', 'CSV, or another table')
    .option('--keep-totals', 'add rows that sum up the others, too')
    .action(async (id: string, listId: string, file: string, flags: Flags & { keepTotals?: boolean }) =>
      (await import('./app.ts')).importFile(id, listId, file, flags, context()),
    );
  command('export', 'print a list as CSV, or save it')
    .argument('<list>', 'id of the list')
    .option('-o, --out <file>', 'output file')
    .action(async (id: string, listId: string, flags: Flags & { out?: string }) =>
      (await import('./app.ts')).exportList(id, listId, flags, context()),
    );
  command('sql', 'query the records; a table for each list, by their ids with “_” for “-”')
    .argument('<query>', 'SELECT …; at most 5 s and 1,000 rows')
    .action(async (id: string, query: string, flags: Flags) => (await import('./app.ts')).runSql(id, query, flags, context()));
  command('edit', 'change the document by edits, or replace it')
    .argument('<file>', 'JSON: edits, or a document as “koda app show” prints it')
    .action(async (id: string, file: string, flags: Flags) => (await import('./app.ts')).editApp(id, file, flags, context()));
  command('show', 'print the document as JSON').action(async (id: string) => (await import('./app.ts')).showApp(id, context()));
}

/** Returns the arguments of `koda` with `make --app` as `make-app`. */
export function withMakeApp(args: readonly string[]): string[] {
  const at = args.findIndex((arg, index) => !arg.startsWith('-') && args[index - 1] !== '--url');
  const flag = args.indexOf('--app', at + 1);
  if (args[at] !== 'make' || flag === -1) return [...args];
  return args.with(at, 'make-app').toSpliced(flag, 1);
}
