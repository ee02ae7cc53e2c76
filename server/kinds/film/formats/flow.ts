import { z } from 'zod';
import { hasOnlyValueArrows } from '../author/read/changes.ts';
import { clip, clipped, isNamed, plain } from '../author/read/fill.ts';
import type { Block, Reading } from '../author/read/reading.ts';
import { blocksOf, fold, spansOf } from '../author/read/reading.ts';
import type { Match } from './define-format.ts';
import { defineFormat, icon, line, readingSeconds, shorten } from './define-format.ts';

const id = z.string().regex(/^[a-z0-9-]{1,24}$/, 'must be an id such as “step-1”');

const schema = z
  .object({
    title: line(50).nullable().describe('heading'),
    direction: z.enum(['right', 'down']).nullable().describe('right draws a line map, down rows of cards; null decides'),
    nodes: z
      .array(
        z.object({
          id: id.describe('a-z, 0-9 and “-”'),
          label: line(18).describe('name; “?” at its end makes a decision'),
          detail: line(24).nullable().describe('small line below'),
          icon: icon.nullable().describe('drawing'),
        }),
      )
      .min(2)
      .max(9)
      .refine((nodes) => new Set(nodes.map((node) => node.id)).size === nodes.length, 'every node needs an id of its own')
      .describe('steps, in reading order'),
    edges: z
      .array(
        z.object({
          from: id.describe('id of a node'),
          to: id.describe('id of a node'),
          label: line(10).nullable().describe('word on the arrow, such as “yes”'),
        }),
      )
      .min(1)
      .max(12)
      .describe('arrows'),
  })
  .refine(
    ({ nodes, edges }) =>
      edges.every(({ from, to }) => from !== to && [from, to].every((end) => nodes.some((node) => node.id === end))),
    'an edge leads from one node to another',
  )
  .refine(({ nodes, edges }) => {
    const { ranks, widest } = sizeOf(nodes, edges);
    const isDetailed = nodes.some(({ detail }) => detail !== null);
    return widest <= 3 && ranks <= (widest === 3 ? 5 : 6) && !(isDetailed && (widest === 3 || nodes.length > 6));
  }, 'at most three nodes are parallel, six follow each other (or five with three parallel), and details need at most six nodes, two of them parallel');
type Props = z.infer<typeof schema>;

/** Sorts the nodes topologically. In a cycle, the node that is listed first comes first. */
function inOrder(ids: readonly string[], edges: Props['edges']): string[] {
  const rest = [...ids];
  const order: string[] = [];
  while (rest.length > 0) {
    const ready = rest.find((node) => edges.every(({ from, to }) => to !== node || !rest.includes(from)));
    const next = ready ?? rest[0] ?? '';
    order.push(next);
    rest.splice(rest.indexOf(next), 1);
  }
  return order;
}

/**
 * Returns the number of ranks, and the number of nodes in the largest one. A node's rank is the length of the longest path to
 * it.
 */
function sizeOf(nodes: readonly { id: string }[], edges: Props['edges']): { ranks: number; widest: number } {
  const order = inOrder(
    nodes.map((node) => node.id),
    edges,
  );
  const ranks = new Map(order.map((node) => [node, 0]));
  for (const [index, node] of order.entries())
    for (const { to } of edges.filter(({ from }) => from === node))
      if (order.indexOf(to) > index) ranks.set(to, Math.max(ranks.get(to) ?? 0, (ranks.get(node) ?? 0) + 1));
  const counts = Map.groupBy(ranks.values(), (rank) => rank);
  return { ranks: counts.size, widest: Math.max(...[...counts.values()].map(({ length }) => length)) };
}

const arrow = /\s*(?:-{1,2}\s*([^\s>|-][^>|\n]{0,20}?)\s*-{1,2}>|(?:-{1,3}>|=+>|→|➜|⟶)(?:\s*\|([^|\n]{1,24})\|)?)\s*/u;
const answer = /^(?:(?:if|when|wenn|falls|si|se)\s+)?(yes|no|ja|nein|oui|non|sí|si|no|sì)\s*[:,]\s*/iu;

/** An arrow of a statement, with the text at both ends. `from` is `null` for the start of the statement. */
interface Link {
  readonly from: string | null;
  readonly to: string;
  readonly label: string | null;
}

/** Parses “A → B → C”, “A -- yes --> B” and “B → C: yes”. The first link has no `from`. */
function linksOf(statement: string): Link[] {
  const [first = '', ...rest] = statement.split(arrow);
  const links: Link[] = [{ from: null, to: first.replace(/^[^:]{3,60}:\s+(?=\S)/u, ''), label: null }];
  // `arrow` has two capture groups for the label, so each arrow adds three entries: two labels and the text after the arrow.
  for (let at = 0; at + 2 < rest.length; at += 3) {
    const isLast = at + 3 >= rest.length;
    const tail = isLast ? /^(.*?)(?::\s+|\s+\()([^:()]{1,16})\)?$/u.exec(rest[at + 2] ?? '') : null;
    const to = tail?.[1] ?? rest[at + 2] ?? '';
    links.push({ from: links.at(-1)?.to ?? null, to, label: tail?.[2] ?? rest[at] ?? rest[at + 1] ?? null });
  }
  return links;
}

/** Reads node labels. Mermaid gives a node its label once, as in `A[Returned]`, and refers to it as `A` later. */
function createLabels() {
  const labels = new Map<string, string>();
  const names = new Map<string, string>();
  const keyOf = (raw: string): string => {
    const [, name, label] = /^(\w+)\s*(?:\[+|\(+|\{+|>)"?(.*?)"?(?:\]+|\)+|\}+)$/u.exec(raw.trim()) ?? [];
    if (name !== undefined && label !== undefined) names.set(name, label);
    const shown = plain(names.get(name ?? raw.trim()) ?? raw).replace(/^[\s\-*•]+|[\s.,;:]+$/gu, '');
    const key = fold(shown);
    if (key !== '' && !labels.has(key)) labels.set(key, shown);
    return key;
  };
  return { labels, keyOf };
}

/** Returns the nodes and edges of the text with arrows, in reading order, or `null` if it has fewer than two nodes. */
function graphIn(text: string): Pick<Props, 'nodes' | 'edges'> | null {
  const { labels, keyOf } = createLabels();
  const questionAbove = () => [...labels].findLast(([, label]) => /[?？؟]$/u.test(label))?.[0] ?? null;
  const found: Props['edges'] = [];
  for (const statement of text.split(/\n|(?<=[.?])\s+(?=\p{Lu})/u)) {
    // “If yes: A → B” continues from the last question before it.
    const said = answer.exec(statement.trim());
    if (said === null && !arrow.test(statement)) continue;
    const question = said === null ? null : questionAbove();
    for (const link of linksOf(statement.trim().replace(answer, ''))) {
      const to = keyOf(link.to);
      const { from, label } =
        link.from === null ? { from: question, label: said?.[1] ?? null } : { ...link, from: keyOf(link.from) };
      if (to !== '' && from !== null && from !== to) found.push({ from, to, label });
    }
  }
  return labels.size < 2 || found.length === 0 ? null : named(labels, found);
}

/** Maximum length of a node's label. A longer one would be cut, so its text needs another format. */
const maxLabel = 18;

/** Sorts the nodes and gives them short ids. */
function named(labels: ReadonlyMap<string, string>, found: Props['edges']): Pick<Props, 'nodes' | 'edges'> {
  const order = inOrder([...labels.keys()], found);
  const idOf = (node: string) => `n${order.indexOf(node) + 1}`;
  return {
    nodes: order.map((node) => ({ id: idOf(node), label: clip(labels.get(node) ?? '–', maxLabel), detail: null, icon: null })),
    edges: found.map(({ from, to, label }) => ({ from: idOf(from), to: idOf(to), label: clipped(label, 10) })),
  };
}

/** Returns whether the edges form one path through all nodes, such as “A → B → C”. */
function isPath({ nodes, edges }: Pick<Props, 'nodes' | 'edges'>): boolean {
  const ends = (key: 'from' | 'to') => new Set(edges.map((edge) => edge[key])).size;
  return edges.length === nodes.length - 1 && ends('from') === edges.length && ends('to') === edges.length;
}

/** Splits a sentence into its clauses, at commas and relative pronouns. */
const clauseBreak = /,\s*|\s+(?=(?:which|who|that|and)\s)/u;

/**
 * Reads a sentence that continues a graph from one of its nodes: “API also writes to Redis, which feeds the Report job”. Returns
 * the branch as “API → Redis → Report job”, or `null` if a clause names no node.
 */
function branchIn(block: Block | undefined, { nodes }: Pick<Props, 'nodes'>): string | null {
  if (block?.kind !== 'text') return null;
  const text = block.piece.text.replace(/[.!]$/u, '');
  const start = nodes.find(({ label }) => fold(text).startsWith(`${fold(label)} `));
  if (start === undefined) return null;
  const targets = text
    .slice(start.label.length)
    .split(clauseBreak)
    .map((clause) => /(?<=\s)\p{Lu}.*$/u.exec(` ${clause}`)?.[0] ?? '');
  return targets.every((target) => target !== '' && target.length <= maxLabel) ? [start.label, ...targets].join(' → ') : null;
}

/**
 * Returns the graph of adjacent blocks with arrows and of a sentence after them that adds a branch. `told`: that sentence, whose
 * verbs the arrows express.
 */
function drawnBy(run: readonly Block[], reading: Reading): { graph: Pick<Props, 'nodes' | 'edges'>; told: Block[] } | null {
  const [first, last] = [run[0], run.at(-1)];
  if (first === undefined || last === undefined) return null;
  const source = reading.text.slice(first.start, last.end);
  const graph = graphIn(source);
  if (graph === null) return null;
  const next = reading.blocks[reading.blocks.indexOf(last) + 1];
  const branch = branchIn(next, graph);
  const whole = branch === null ? null : graphIn(`${source.replace(/[.\s]+$/u, '')}\n${branch}`);
  return whole === null || next === undefined ? { graph, told: [] } : { graph: whole, told: [next] };
}

/** Matches adjacent blocks with arrows that form one diagram, and sentences after them that add branches. */
function matchGraphs(reading: Reading): Match<Props>[] {
  const isCalled = isNamed(reading, 'flow');
  const rawOf = ({ start, end }: Pick<Block, 'start' | 'end'>) => reading.text.slice(start, end);
  const hasArrow = (block: Block) =>
    arrow.test(rawOf(block)) &&
    !hasOnlyValueArrows(rawOf(block)) &&
    (block.kind !== 'code' || /\b(?:flowchart|graph)\b/u.test(rawOf(block)));
  const runs: Block[][] = [];
  for (const [index, block] of reading.blocks.entries()) {
    if (!hasArrow(block)) continue;
    const before = reading.blocks[index - 1];
    if (before !== undefined && hasArrow(before)) runs.at(-1)?.push(block);
    else runs.push([block]);
  }
  return runs.flatMap((run): Match<Props>[] => {
    const first = run[0];
    const drawn = drawnBy(run, reading);
    if (first === undefined || drawn === null) return [];
    const { graph, told } = drawn;
    const ends = (key: 'from' | 'to') => new Set(graph.edges.map((edge) => edge[key])).size;
    const branches = graph.nodes.length >= 4 && (ends('from') < graph.edges.length || ends('to') < graph.edges.length);
    const isChain = isPath(graph) && graph.nodes.length >= 3 && graph.nodes.every(({ label }) => !label.endsWith('…'));
    if (!branches && !isCalled && !isChain) return [];
    const { data: props } = schema.safeParse({
      title: clipped(first.heading?.text, 50),
      // Cards below each other leave more space for labels than a line does.
      direction: branches ? null : 'down',
      ...graph,
    });
    return props === undefined
      ? []
      : [
          {
            score: isCalled || first.kind === 'code' ? 0.97 : 0.93,
            scenes: [props],
            spans: [...run, ...told].flatMap(spansOf),
            told,
          },
        ];
  });
}

/** Matches the name of a process that ends where it starts. */
const cycle = /(?:^|[^\p{L}])(?:cycle|life cycle|\p{L}*kreislauf|\p{L}*zyklus|ciclo|cykl)(?:[^\p{L}]|$)/iu;

/**
 * Matches lists of short steps if the request calls them a flow, or if their heading calls them a cycle. The last step of a
 * cycle leads back to the first.
 */
function matchLists(reading: Reading): Match<Props>[] {
  const isCalled = isNamed(reading, 'flow');
  return blocksOf(reading, 'list').flatMap((block): Match<Props>[] => {
    const isCycle = cycle.test(block.heading?.text ?? '');
    const isPlain = block.items.every(
      ({ text, lead, value, done }) => text.length <= maxLabel && lead === null && value === null && done === null,
    );
    if (!(isCalled || isCycle) || !isPlain || block.items.length < 3 || block.items.length > 6) return [];
    const nodes = block.items.map(({ text }, index) => ({ id: `n${index + 1}`, label: plain(text), detail: null, icon: null }));
    const edges = nodes.flatMap(({ id: to }, index) => {
      const from = nodes[index - 1]?.id;
      return from === undefined ? [] : [{ from, to, label: null }];
    });
    const back = isCycle ? [{ from: `n${nodes.length}`, to: 'n1', label: null }] : [];
    const { data: props } = schema.safeParse({
      title: clipped(block.heading?.text, 50),
      direction: 'down',
      nodes,
      edges: [...edges, ...back],
    });
    return props === undefined ? [] : [{ score: isCalled ? 0.95 : 0.86, scenes: [props], spans: spansOf(block) }];
  });
}

export const flow = defineFormat({
  id: 'flow',
  title: 'Flow',
  use: 'Two to nine short steps that lead to each other: a process, a cycle, a decision or a pipeline as nodes and edges.',
  avoid: 'Steps with details (use steps), or dates (use timeline).',
  purposes: ['explain'],
  props: schema,
  seconds: ({ title: heading, nodes, edges }) => {
    const { ranks } = sizeOf(nodes, edges);
    const reading = nodes.reduce((sum, { label, detail }) => sum + readingSeconds(label, detail) * 0.42, 0);
    return 1.4 + readingSeconds(heading) * 0.5 + Math.max(reading, ranks * 0.8) + 1.6;
  },
  outline: ({ title: heading, nodes }) => ({
    title: shorten(heading ?? 'Flow', 60),
    description: shorten(`A flow: ${nodes.map(({ label }) => label).join(', ')}.`, 900),
  }),
  match: (reading) => [...matchGraphs(reading), ...matchLists(reading)],
  example: {
    title: null,
    direction: null,
    nodes: [
      { id: 'returned', label: 'Returned', detail: null, icon: 'lucide:archive' },
      { id: 'scanned', label: 'Scanned', detail: null, icon: 'lucide:scan-barcode' },
      { id: 'reserved', label: 'Reserved?', detail: null, icon: null },
      { id: 'held', label: 'Held', detail: null, icon: 'lucide:book-open' },
      { id: 'sorted', label: 'Sorted', detail: null, icon: 'lucide:layers' },
      { id: 'told', label: 'Reader told', detail: null, icon: 'lucide:bell' },
      { id: 'shelved', label: 'Shelved', detail: null, icon: 'lucide:library' },
    ],
    edges: [
      { from: 'returned', to: 'scanned', label: null },
      { from: 'scanned', to: 'reserved', label: null },
      { from: 'reserved', to: 'held', label: 'yes' },
      { from: 'reserved', to: 'sorted', label: 'no' },
      { from: 'held', to: 'told', label: null },
      { from: 'sorted', to: 'shelved', label: null },
    ],
  },
});
