// The direction of imports: ways in (http, cli, mcp) → projects → llm → kinds → access → tools → sandbox, renders, history, storage → events,
// with `contract` and `lib` below everything. Each folder may import itself and what stands to the right of it.

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
  ['projects'],
  // The language model as an author, and its settings.
  ['llm'],
  // Kinds of projects, and their built-in authors.
  ['kinds'],
  // Who may use Koda as a program, and for what.
  ['access'],
  ['tools'],
  // Looks at the data folder as a whole: rows, histories, files.
  ['backup'],
  ['sandbox', 'renders', 'history', 'storage'],
  ['events'],
  ['contract', 'lib'],
];

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
      comment: 'Two files that need each other are one file, or lack a third.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    ...direction,
    {
      name: 'contract-knows-zod-alone',
      severity: 'error',
      from: { path: '^server/contract/', pathNot: '\\.test\\.ts$' },
      to: { pathNot: ['^server/contract/', '^node_modules/zod/'] },
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
      from: { path: '^server/', pathNot: ['^server/main\\.ts$', '^server/cli/cycle/local-studio\\.ts$', '\\.test\\.ts$'] },
      to: { path: '^server/wiring\\.ts$' },
    },
    {
      name: 'sandboxd-shares-only-the-contract',
      comment: 'The daemon runs inside a sandbox: of the server it knows the protocol and nothing else.',
      severity: 'error',
      from: { path: '^sandbox-image/' },
      to: { path: '^(server/(?!contract/)|web/|test/)' },
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
      from: { path: '^web/' },
      to: { path: '^(server/(?!contract/)|sandbox-image/|test/(?!fixtures/(renders|checkpoint-entries|plans)[.]ts))' },
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
      to: { couldNotResolve: true, pathNot: '\\.css$|\\?(raw|url|inline)$|^(bun|virtual):' },
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
    // What is built against the template's packages, which are not the root's, and what is written into projects.
    exclude: { path: '^(dist|sandbox-image/templates|test/bench/render/(scenes|peers)|test/fixtures/pages)/' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.mts', '.js', '.mjs', '.cjs', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'types', 'default'],
    },
  },
};
