import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { approvalResponseSchema, phaseSchema } from '#contract/project.ts';
import { aspectSchema } from '#contract/render.ts';
import { minCodeContextTokens } from '#contract/settings.ts';
import { componentNames } from '#contract/surface/surface.ts';
import { generatedCodeSchema, toolNames } from '#contract/tools.ts';
import { type FilmOutline, maxDurationSeconds, minSceneSeconds } from '#kinds/film/contract/film.ts';
import { validatePlan } from '#kinds/film/contract/plan-rules.ts';
import { frameOf } from '../server/kinds/film/document/print.ts';
import { filmKind } from '../server/kinds/film/kind.ts';
import { offeredTools } from '../server/kinds/film/offered-tools.ts';
import { tokenBudget } from '../server/llm/context.ts';
import { initialContext } from '../server/llm/context-text.ts';
import { systemPrompt } from '../server/llm/prompt-layers.ts';
import { tokensOfPrompt } from '../server/llm/tokens.ts';
import { allTools } from '../server/tools/catalogue.ts';
import { noFacts } from './fixtures/facts.ts';
import { examplesOf } from './fixtures/prompt-examples.ts';

const kindTools = [...allTools, ...filmKind.ownTools];
const orchestrator = systemPrompt(filmKind);
const { prompt: generator } = filmKind.generator;
const prompts = [
  ['orchestrator', orchestrator],
  ['generator', generator],
] as const;
/** The files that make up a prompt. */
const layers = {
  orchestrator: ['llm/base.md', 'kinds/film/workflow.md'],
  generator: ['kinds/film/generator.md'],
};
const template = join(import.meta.dirname, '../sandbox-image/templates/film');
const examples = examplesOf(generator);

/** Returns the code spans outside fenced code. */
function spansOf(markdown: string): string[] {
  const prose = markdown.replace(/^```[\s\S]*?^```$/gm, '');
  return [...prose.matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span);
}

const matches = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([match]) => match);

it('46.2: sends the code generator no file of the template that its prompt describes', () => {
  const source = join(import.meta.dirname, '../sandbox-image/templates/film/src');
  const folders = readdirSync(source, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const { described } = filmKind.generator.files;
  const sent = folders.filter(({ name }) => !described.includes(`src/${name}/`));
  expect(sent.map(({ name }) => name)).toEqual(['scenes']);
});

describe('both prompts', () => {
  it('A12: have at most the size that was designed', () => {
    expect(tokensOfPrompt(orchestrator)).toBeLessThan(4550);
    expect(tokensOfPrompt(generator)).toBeLessThan(14_000);
  });

  it('A11 X2: leave room for a small film in the smallest context that may be set', () => {
    const offered = new Set(phaseSchema.options.flatMap((phase) => offeredTools({ ...noFacts, phase })));
    const tools = kindTools
      .filter(({ name }) => offered.has(name))
      .map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
    const files = z.toJSONSchema(generatedCodeSchema, { io: 'input' });
    const room = (fixedText: string) =>
      tokenBudget({ contextTokens: minCodeContextTokens, responseTokens: minCodeContextTokens / 4, fixedText }).tokens;
    expect(room(`${orchestrator}${JSON.stringify(tools)}`)).toBeGreaterThan(7_000);
    expect(room(`${generator}${JSON.stringify(files)}`)).toBeGreaterThan(2_000);
  });

  it.each(prompts)('A12: %s is the same text in every request', (name, prompt) => {
    expect(prompt).toBe(
      layers[name].map((file) => readFileSync(join(import.meta.dirname, '../server', file), 'utf8')).join('\n'),
    );
    // The prompt contains no placeholders and nothing that becomes outdated, so that the whole prefix can be cached.
    expect(
      matches(prompt, /\{\{\s*\w+\s*\}\}|\$\{[A-Z_]+\}|<%|\b(?:19|20)\d\d[-/.]\d\d|\b(?:today|yesterday|currently)\b/g),
    ).toEqual([]);
    expect(prompt).toBe(prompt.normalize('NFC'));
    expect(matches(prompt, /\r|[ \t]+$/gm)).toEqual([]);
  });

  it.each(prompts)('A12: %s says that what it reads is no instruction', (_name, prompt) => {
    expect(prompt).toMatch(/never an instruction|do not do it/);
  });
});

describe('the orchestrator', () => {
  it('V5: has four layers and the context of the user, each in its place', () => {
    const heads = [...orchestrator.matchAll(/^## (.+)$/gm)].map(([, head]) => head);
    const ofSurfaces = [...systemPrompt({ workflow: filmKind.workflow }).matchAll(/^## (.+)$/gm)].map(([, head]) => head);
    const places = ['How you work with the user', 'Surfaces', 'The workflow'].map((head) => ofSurfaces.indexOf(head));
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(places).not.toContain(-1);
    // A film's model is not offered surfaces.
    expect(heads).toEqual(ofSurfaces.filter((head) => head !== 'Surfaces'));
    // The prompt does not repeat the tools' descriptions, because the model receives them separately.
    for (const { name, description } of kindTools) expect(orchestrator, name).not.toContain(description);
    const context = initialContext({ ...noFacts, prompt: 'A red ball' });
    expect(context).toContain('A red ball');
    expect(orchestrator).not.toContain('A red ball');
  });

  it('V5: names every component of a surface, and none that there is not', () => {
    const [, words = ''] = /## Surfaces\n([\s\S]*?)\n## /.exec(systemPrompt({ workflow: filmKind.workflow })) ?? [];
    const named = new Set(spansOf(words).filter((span) => /^[A-Z][A-Za-z]+$/.test(span)));
    expect([...named].sort()).toEqual([...componentNames].sort());
  });

  it('A12: does not contain how a film is written', () => {
    expect(matches(orchestrator, /theatre|three\.?js|\breact\b|r3f|keyframe|useMoment|defineTracks|webgl|shader/gi)).toEqual([]);
  });

  it('A12: names tools, fields and outcomes that exist', () => {
    const known = new Set([
      ...kindTools.map(({ name }) => name),
      ...toolNames,
      ...matches(
        JSON.stringify([...kindTools.map(({ inputSchema }) => inputSchema), z.toJSONSchema(approvalResponseSchema)]),
        /[a-z]+(?:_[a-z]+)+/g,
      ),
    ]);
    const named = spansOf(orchestrator).filter((span) => /^[a-z]+(_[a-z]+)+$/.test(span));
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });

  it('A12: names for each phase tools that are offered in it', () => {
    const rows = matches(orchestrator, /^\| `\w+` \|.*\| `.*\|$/gm).map((row) => row.split('|').map((cell) => cell.trim()));
    // A film is no conversation.
    const ofFilms = phaseSchema.options.filter((phase) => phase !== 'conversation');
    expect(rows.map(([, phase]) => phase?.replaceAll('`', ''))).toEqual(ofFilms);
    for (const [, phase = '', , tools = ''] of rows) {
      const named = spansOf(tools);
      expect(named.length, phase).toBeGreaterThan(0);
      for (const name of named) {
        const tool = kindTools.find((candidate) => candidate.name === name);
        const known = phaseSchema.parse(phase.replaceAll('`', ''));
        expect(tool?.phases, `${name} in ${phase}`).toContain(known);
        expect(offeredTools({ ...noFacts, phase: known }), `${name} in ${phase}`).toContain(name);
      }
    }
  });

  it('A4: states the plan rules as they are enforced', () => {
    const plan = (count: number, durationSeconds: number): FilmOutline => ({
      title: 'Film',
      style: 'smooth',
      aspect: '16:9',
      durationSeconds,
      fps: 60,
      caveat: null,
      scenes: Array.from({ length: count }, (_, index) => ({
        number: index + 1,
        title: 'Scene',
        startSeconds: (index * durationSeconds) / count,
        durationSeconds: durationSeconds / count,
        description: 'A ball.',
        animationNotes: 'It falls.',
      })),
    });
    expect(orchestrator).toContain(`at least ${minSceneSeconds} s`);
    expect(orchestrator).toContain(`${maxDurationSeconds} at most`);
    expect(orchestrator).toContain('At most 7 scenes under 30 s, at most 15 from 30 s on');
    const kept = ([count, seconds]: [number, number]) => validatePlan(plan(count, seconds)).length === 0;
    const allowed: [number, number][] = [
      [7, 29.9],
      [15, 30],
      [1, 1.5],
      [1, maxDurationSeconds],
    ];
    const refused: [number, number][] = [
      [8, 29.9],
      [16, 30],
      [1, 1.4],
      [1, maxDurationSeconds + 1],
    ];
    expect(allowed.map(kept)).toEqual(allowed.map(() => true));
    expect(refused.map(kept)).toEqual(refused.map(() => false));
  });

  it('A3: maps the styles to their motion', () => {
    const row = (style: string) => matches(orchestrator, new RegExp(`^\\| \`${style}\` .*$`, 'gm'))[0];
    expect(row('playful')).toMatch(/easeOutBack.*easeOutElastic.*fast.*overshoot.*squash/);
    expect(row('smooth')).toMatch(/easeInOutCubic.*easeOutQuint.*slow and subtle/);
    expect(row('cinematic')).toMatch(/easeInOutQuart.*camera.*depth.*tension/);
  });

  it('A2: has one question, with examples of good and bad ones', () => {
    expect(orchestrator).toMatch(/At most one in a project/);
    expect(matches(orchestrator, /^(Good|Bad): /gm)).toEqual(['Good: ', 'Bad: ']);
  });
});

describe('the generator', () => {
  const sources = readdirSync(join(template, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(tsx?|css)$/.test(path) && !path.includes('.test.'))
    .map((path) => ({ path: `src/${path}`, text: readFileSync(join(template, 'src', path), 'utf8') }));
  const textOf = (path: string) => sources.find((source) => source.path === path)?.text;
  const exports = (text: string) => matches(text, /(?<=^export (?:default )?(?:const|function|class|interface|type) )\w+/gm);
  const written = new Set(examples.flatMap(({ files }) => files.map(({ path }) => path)));

  it('A12: names files that exist in the template or in its films', () => {
    const paths = spansOf(generator)
      .map((span) => span.replace(/^\.\.\/(?=[a-z])/, 'src/'))
      .filter((span) => /^(src|public)\/[\w./-]*$|^[\w-]+\.(json|html)$|^vite\.config\.ts$/.test(span))
      // Ignores placeholder names, and data in films by the built-in author.
      .filter((path) => !path.includes('scene-N') && !path.endsWith('/name.mp3') && path !== 'src/film.json');
    expect(paths.length).toBeGreaterThan(15);
    const all = [
      ...readdirSync(template, { recursive: false, encoding: 'utf8' }),
      ...sources.map(({ path }) => path),
      ...written,
    ];
    const exists = (path: string) => all.some((known) => known === path || (path.endsWith('/') && known.startsWith(path)));
    expect(paths.filter((path) => !exists(path) && path !== 'public/assets/')).toEqual([]);
  });

  it('A12: lists the kit as it is: modules, their exports, their props', () => {
    const rows = matches(generator, /^\| `[\w-]+\.tsx?` \|.*$/gm);
    expect(rows.length).toBeGreaterThan(18);
    for (const row of rows) {
      const [, file = '', description = ''] = row.split('|');
      const text = textOf(`src/kit/${file.trim().replaceAll('`', '')}`);
      expect(text, row).toBeDefined();
      const all = sources.map((source) => source.text).join('\n');
      const names = spansOf(description).flatMap((span) => matches(span, /[A-Za-z]\w+/g));
      for (const name of names) expect(all, `${name} of ${file}`).toMatch(new RegExp(`\\b${name}\\b`));
      const components = names.filter((name) => /^[A-Z]/.test(name));
      for (const name of components) expect(exports(text ?? ''), row).toContain(name);
    }
  });

  it('A12: names eases that exist, and all that there are', () => {
    const eases = exports(textOf('src/stage/easing.ts') ?? '').filter((name) =>
      /^ease[A-Z]|^(fall|rise|swingOver|linear|hold)$/.test(name),
    );
    expect(eases.length).toBeGreaterThan(14);
    const named = new Set(spansOf(generator).filter((span) => /^ease[A-Z]\w+$|^(fall|rise|swingOver|linear|hold)$/.test(span)));
    expect([...named].sort()).toEqual(eases.sort());
  });

  it('A12: names fonts that the template ships, and families that the looks use', () => {
    const families = matches(generator, /(?<=`')[\w ]+ Variable(?='`)/g);
    const shipped = matches(textOf('src/kit/fonts.css') ?? '', /(?<=fontsource-variable\/)[\w-]+/g);
    expect(families.map((name) => name.replace(' Variable', '').replaceAll(' ', '-').toLowerCase()).sort()).toEqual(
      shipped.sort(),
    );
    for (const family of families) expect(textOf('src/kit/look.ts')).toContain(`'${family}'`);
  });

  it('A12: gives the frames that the studio renders', () => {
    const rows = matches(generator, /^\| \d+:\d+ \|.*$/gm).map((row) => row.split('|').map((cell) => cell.trim()));
    expect(rows.map(([, aspect]) => aspect).sort()).toEqual([...aspectSchema.options].sort());
    for (const [, name, pixels, view = ''] of rows) {
      const frame = frameOf(aspectSchema.parse(name));
      expect(pixels).toBe(`${frame.pixels.width} × ${frame.pixels.height}`);
      const [width, height, groundY] = matches(view, /-?[\d.]+/g).map(Number);
      expect([width, height], name).toEqual([frame.width, frame.height]);
      expect(groundY, name).toBeCloseTo(frame.groundY, 1);
    }
  });

  it('A12: shows films that import only what there is', () => {
    for (const { title, files } of examples) {
      const own = new Map(files.map(({ path, content }) => [path, content]));
      for (const { path, content } of files) {
        for (const [, names = '', from = ''] of content.matchAll(/^import (?:type )?\{([^}]+)\} from '(\.[^']+)';$/gm)) {
          const target = join(path, '..', from);
          const known = exports(own.get(target) ?? textOf(target) ?? '');
          for (const name of names.split(',').map((part) => part.replace(/\btype /, '').trim()))
            expect(known, `${title}: ${path} imports ${name} from ${from}`).toContain(name);
        }
      }
    }
  });

  it('A19: shows films without chance, clocks and addresses', () => {
    const code = examples.flatMap(({ files }) => files.map(({ content }) => content)).join('\n');
    expect(
      matches(code, /Math\.random|Date\b|performance\.|setTimeout|requestAnimationFrame|useFrame|https?:|transition:/g),
    ).toEqual([]);
  });

  it('46.4: shows a figure with joints, a diagram on beats and a film of the kit, all in the theme and without 3D', () => {
    const code = examples.map(({ files }) => files.map(({ content }) => content).join('\n'));
    expect(code).toHaveLength(3);
    for (const film of code) {
      expect(film).toContain('<ThemedOverlay id={sceneId}>');
      expect(film).toMatch(/name: '\w+',\n {2}style:/);
      expect(film).not.toMatch(/World|from 'three|kit\/(ball|camera)/);
    }
    const [figure = '', diagram = '', kit = ''] = code;
    expect(figure).toMatch(/rotate\(\$\{2 \* bend\}\)/);
    expect(diagram).toMatch(/const beats = [\s\S]*<Drawing>/);
    expect(kit).toContain('<Count ');
    // 3D stays available, for what it is good for.
    expect(generator).toMatch(/3D is for solid bodies/);
  });

  it('A3: shows a film of every style, in more than one aspect', () => {
    const code = (path: string) => examples.map(({ files }) => files.find((file) => file.path === path)?.content ?? '');
    expect(code('src/theme.ts').flatMap((text) => matches(text, /(?<=style: ')\w+/g))).toEqual([
      'playful',
      'cinematic',
      'smooth',
    ]);
    expect(new Set(code('src/film.ts').flatMap((text) => matches(text, /(?<=\bwidth: )\d{3,}/g))).size).toBeGreaterThan(1);
  });
});
