// The direction of imports: kinds → ways in (http, cli, mcp) → llm → projects → access → tools → schedules → sandbox, renders, history, storage → events,
// with `contract` and `lib` below everything. Each folder may import itself and what stands to the right of it. A kind of project is a
// folder of `kinds` on each side that it needs. Core knows none: only its registries import kinds.

// swc's syntax walker, which dependency-cruiser uses, does not know `using` and `await using` yet.
const walker = require('@swc/core/Visitor.js').Visitor.prototype;
const visitStatement = walker.visitStatement;
walker.visitStatement = function visit(statement) {
  if (statement.type !== 'UsingDeclaration') return visitStatement.call(this, statement);
  statement.decls = this.visitVariableDeclarators(statement.decls);
  return statement;
};

/** From left to right; folders in one row may import each other in one direction only (`no-circular-folders`). */
const layers = [
  ['http', 'cli', 'mcp'],
  // The language model as an author, and its settings.
  ['llm'],
  ['projects'],
  // Who may use Koda as a program, and for what.
  ['access'],
  ['tools'],
  // Starts renders by itself, at their times.
  ['schedules'],
  // Looks at the data folder as a whole: rows, histories, files.
  ['backup'],
  ['sandbox', 'renders', 'history', 'storage'],
  ['events'],
  ['contract', 'lib'],
];

const kinds = '^(?:server|web/src)/kinds/';

/** What a page and a sandbox's daemon may know of the server, and the models that a template shares with both. */
const contracts = ['^server/contract/', '^server/kinds/[^/]+/contract/', '^sandbox-image/templates/[^/]+/model/'];

/** The files that name the kinds of projects. */
const registries = ['^server/wiring\\.ts$', '^web/src/kinds\\.ts$', '^server/cli/koda\\.ts$'];

const folder = (names) => `^server/(${names.join('|')})/`;

const direction = layers.slice(1).map((names, index) => ({
  name: `direction-${names[0]}`,
  comment: `${names.join(', ')} must not import what stands to the left of it.`,
  severity: 'error',
  // Tests may look at anything, e.g. at the rules that their subject has to keep.
  from: { path: folder(names), pathNot: '\\.test\\.ts$' },
  to: { path: folder(layers.slice(0, index + 1).flat()) },
}));

module.exports = {
  forbidden: [
    {
      name: 'no-circular',
      comment: 'Merge the files, or move what both need into a third one.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    ...direction,
    {
      name: 'core-knows-no-kind',
      comment: 'A product is a folder of `kinds`. Only the registries import it; what core needs to know is a member of `Kind`.',
      severity: 'error',
      from: { path: '^(server|web/src)/(?!kinds/)', pathNot: ['\\.test\\.tsx?$', ...registries] },
      to: { path: kinds },
    },
    {
      name: 'kinds-know-no-other-kind',
      severity: 'error',
      from: { path: '^(server|web/src)/kinds/([^/]+)/', pathNot: '\\.test\\.tsx?$' },
      to: { path: kinds, pathNot: '^(?:server|web/src)/kinds/$2/' },
    },
    {
      name: 'contract-knows-zod-alone',
      severity: 'error',
      from: { path: contracts, pathNot: '\\.test\\.ts$' },
      // A template's model finds its packages in the template. The one of apps also reads pasted tables.
      to: { pathNot: [...contracts, '(^|/)node_modules/zod/', '/templates/app/node_modules/papaparse/'] },
    },
    {
      name: 'ports-not-adapters',
      comment: 'projects, llm, tools and kinds see interfaces, never the classes of Docker, Puppeteer, SQLite or FFmpeg.',
      severity: 'error',
      from: { path: folder(['projects', 'llm', 'tools', 'kinds']), pathNot: '\\.test\\.ts$' },
      to: { path: '^node_modules/(dockerode|puppeteer-core|better-sqlite3|drizzle-orm|fluent-ffmpeg)/' },
    },
    {
      name: 'ffmpeg-in-one-file',
      severity: 'error',
      from: { pathNot: '(^|/)encode\\.ts$' },
      to: { path: '^node_modules/(@types/)?fluent-ffmpeg/' },
    },
    {
      name: 'only-wiring-names-adapters',
      comment: 'The composition root is imported by the entry point, and by the command that starts a studio of its own.',
      severity: 'error',
      from: { path: '^server/', pathNot: ['^server/main\\.ts$', '^server/kinds/cycle/cli/local-studio\\.ts$', '\\.test\\.ts$'] },
      to: { path: '^server/wiring\\.ts$' },
    },
    {
      name: 'sandboxd-shares-only-the-contract',
      comment: 'The daemon runs inside a sandbox: of the server it knows the protocol and nothing else.',
      severity: 'error',
      from: { path: '^sandbox-image/' },
      to: { path: ['^server/', '^web/', '^test/'], pathNot: contracts },
    },
    {
      name: 'pages-know-the-protocol-alone',
      comment: 'What runs in pages is bundled for the browser: of the daemon it knows the types of its protocol.',
      severity: 'error',
      from: { path: '^sandbox-image/sandboxd/page/', pathNot: ['/protocol\\.ts$', '\\.d\\.ts$'] },
      to: { pathNot: '^sandbox-image/sandboxd/page/(?!protocol\\.ts$)', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'web-shares-only-the-contract',
      severity: 'error',
      from: { path: '^web/', pathNot: '^web/src/kinds/film/stills/' },
      to: {
        path: ['^server/', '^sandbox-image/', '^test/'],
        pathNot: [...contracts, '^test/fixtures/(renders|checkpoint-entries|plans)[.]ts'],
      },
    },
    {
      name: 'stills-draw-with-the-template',
      comment: 'A still is drawn by the components that draw the film, so that it cannot differ from it.',
      severity: 'error',
      from: { path: '^web/src/kinds/film/stills/' },
      to: {
        path: ['^server/', '^sandbox-image/', '^test/'],
        pathNot: [...contracts, '^sandbox-image/templates/film/src/(drawing|formats|themes|icons[.]ts)'],
      },
    },
    {
      name: 'products-do-not-import-tests',
      severity: 'error',
      from: { path: '^(server|sandbox-image|web)/', pathNot: '\\.test\\.tsx?$' },
      to: { path: ['^test/', '\\.test\\.tsx?$'] },
    },
    {
      name: 'not-resolvable',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '^(geojson|topojson-specification)$|\\.css$|\\?(raw|url|inline)$|^(bun|virtual):' },
    },
    {
      name: 'no-development-packages-in-the-server',
      severity: 'error',
      from: { path: '^server/', pathNot: '\\.test\\.ts$' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'], pathNot: '^node_modules/@types/' },
    },
  ],
  options: {
    // TypeScript 7 has no API yet that dependency-cruiser could use; swc parses the same sources, type imports included.
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    // What is built against the template’s packages, which are not the root’s, what is written into projects, and what is bundled.
    exclude: {
      path: '^((dist|sandbox-image/templates/cycle|test/bench/render/(scenes|peers)|test/fixtures/pages)/|sandbox-image/sandboxd/daemon\\.mjs)',
    },
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.mts', '.js', '.mjs', '.cjs', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'types', 'default'],
    },
  },
};
