// Fails if a document mentions a repository path that does not exist.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { mentionedPaths } from './doc-paths.ts';

const root = resolve(import.meta.dirname, '..');
const generated = ['node_modules', '.tools', 'dist', 'test-results', 'data'];
const roots = readdirSync(root).filter((name) => !generated.includes(name));
const documents = ['README.md', 'CONTRIBUTING.md']
  .concat(existsSync(join(root, 'docs')) ? readdirSync(join(root, 'docs')).map((name) => `docs/${name}`) : [])
  .filter((name) => name.endsWith('.md') && existsSync(join(root, name)));

const missing = documents.flatMap((name) =>
  mentionedPaths(readFileSync(join(root, name), 'utf8'), roots)
    // Links are relative to their document, code spans to the repository.
    .filter((path) => !existsSync(join(root, dirname(name), path)) && !existsSync(join(root, path)))
    .map((path) => `${relative(root, join(root, name))} names ${path}, which does not exist.`),
);
for (const line of missing) console.error(line);
process.exitCode = missing.length === 0 ? 0 : 1;
