import { describe, expect, it } from 'vitest';
import { planFilm } from './plan-film.ts';

const plan = (prompt: string) =>
  planFilm({ prompt, hints: { style: null, aspect: null, durationSeconds: null }, answers: [], assets: [], seed: 1 });
const scenesOf = (prompt: string) => plan(prompt).film.scenes;
const shown = (prompt: string) => JSON.stringify(scenesOf(prompt).map(({ props }) => props));

/** Returns the edges of a flow as pairs of labels. */
function edgesOf(prompt: string): string[] {
  return scenesOf(prompt).flatMap(({ format, props }) => {
    if (format !== 'flow') return [];
    const { nodes, edges } = props as {
      nodes: { id: string; label: string }[];
      edges: { from: string; to: string }[];
    };
    const labelOf = (id: string) => nodes.find((node) => node.id === id)?.label ?? '';
    return edges.map(({ from, to }) => `${labelOf(from)} > ${labelOf(to)}`);
  });
}

interface Row {
  readonly text: string;
  readonly detail: string | null;
  readonly value: string | null;
}
const rowsOf = (prompt: string): Row[] =>
  scenesOf(prompt).flatMap(({ format, props }) => (format === 'list' ? (props as { items: Row[] }).items : []));

describe('a diagram of steps', () => {
  it.each([
    'Deploy path: Laptop → Build farm → Registry → Cluster',
    'Deploy path: Laptop -> Build farm -> Registry -> Cluster',
    'Our deploy path, as a flowchart: Laptop, Build farm, Registry, Cluster',
  ])('A33: connects the steps in order: %s', (prompt) => {
    expect(edgesOf(prompt)).toEqual(['Laptop > Build farm', 'Build farm > Registry', 'Registry > Cluster']);
  });

  it('A33: adds the branch that the next sentence describes', () => {
    const prompt = 'Phone → Gateway → Orders → MySQL. Orders also writes to Redis, which feeds the Report job.';
    expect(edgesOf(prompt)).toEqual(
      expect.arrayContaining(['Orders > MySQL', 'Orders > Redis', 'Redis > Report job', 'Phone > Gateway']),
    );
    expect(plan(prompt).caveat).toBeNull();
  });

  it('A33: leads the last stage of a cycle back to the first', () => {
    expect(edgesOf('The rock cycle: magma, igneous, sediment, metamorphic')).toContain('metamorphic > magma');
  });

  it('A33: leaves steps with long labels to other formats, which do not cut them', () => {
    expect(shown('A very long first station name → the second station → the third station')).not.toContain('…');
  });
});

describe('a table', () => {
  it.each([
    ['League,Won,Lost,Points\nFerry Town,8,1,25\nKilnwood,3,5,11', 'table'],
    ['Plan,Seats,Support\nSolo,1,Forum\nTeam,10,Email', 'table'],
    ['Wash,Small,Large\nBasic,£9,£12\nWax,£19,£26', 'table'],
    ['Our price list\n\nWash,Small,Large\nBasic,£9,£12\nWax,£19,£26', 'table'],
    ['Region\tRevenue\tCustomers\nNorth\t€ 1.2m\t310\nSouth\t€ 0.9m\t290', 'table'],
    ['Show this as a table.\n\nAnimal,Speed\nFalcon,389\nCheetah,104', 'table'],
    ['Zeig das als Tabelle.\n\nTier,Tempo\nFalke,389\nGepard,104', 'table'],
    ['Haz una tabla.\n\nAnimal,Velocidad\nHalcón,389\nGuepardo,104', 'table'],
    ['Montre-le en tableau.\n\nAnimal,Vitesse\nFaucon,389\nGuépard,104', 'table'],
    ['Fai una tabella.\n\nAnimale,Velocità\nFalco,389\nGhepardo,104', 'table'],
    ['Mostre isto como tabela.\n\nAnimal,Velocidade\nFalcão,389\nChita,104', 'table'],
    ['Toon dit als tabel.\n\nDier,Snelheid\nValk,389\nCheeta,104', 'table'],
    ['Animal,Speed\nFalcon,389\nCheetah,104\nOstrich,70', 'bar-chart'],
    ['Town,Share 2022,Share 2024\nLyon,41,45\nNice,20,19', 'bar-chart'],
    ['Month,In,Out\nJan,120,90\nFeb,140,80\nMar,160,85', 'line-chart'],
    ['Show this as a list.\n\nPlan,Seats,Support\nSolo,1,Forum\nTeam,10,Email', 'list'],
  ])('A32: becomes a table if no drawing says as much, or if the request names one: %j', (prompt, format) => {
    expect(scenesOf(prompt).map((scene) => scene.format)).toContain(format);
  });

  it('A32: keeps every cell as it is written, and continues with the same heads after twelve rows', () => {
    const rows = Array.from({ length: 15 }, (_, at) => [`Club ${at + 1}`, `${40 - at}`, `${at}.50`, '€ 1,200']);
    const prompt = `Make a table and highlight Club 14.\n\n${[['Club', 'Won', 'Fee', 'Prize'], ...rows].map((row) => row.join(';')).join('\n')}`;
    const tables = scenesOf(prompt).flatMap(({ format, props }) =>
      format === 'table' ? [props as { columns: string[]; rows: string[][]; highlight: number | null }] : [],
    );
    expect(tables.map(({ columns }) => columns)).toEqual(Array(2).fill(['Club', 'Won', 'Fee', 'Prize']));
    expect(tables.flatMap((part) => part.rows)).toEqual(rows);
    expect(tables.map(({ highlight }) => highlight)).toEqual([null, 5]);
  });
});

describe('a table that is shown as a list or a chart', () => {
  it('A33: shows the only column with its unit as the value, and names the others', () => {
    const rows = rowsOf(
      'Show this as a list.\n\nTown\tMay (t)\tJune (t)\tChange\nLyon\t4,100\t4,510\t+10%\nNice\t2,000\t1,900\t-5%',
    );
    expect(rows).toMatchObject([
      { text: 'Lyon', detail: 'May (t): 4,100 · June (t): 4,510', value: '+10%' },
      { text: 'Nice', detail: 'May (t): 2,000 · June (t): 1,900', value: '-5%' },
    ]);
  });

  it('A33: names both prices of a row', () => {
    const rows = rowsOf(
      'Show this as a list.\n\n| Wash | Small | Large |\n|---|---|---|\n| Basic | £9 | £12 |\n| Wax | £19 | £26 |',
    );
    expect(rows.map(({ detail }) => detail)).toEqual(['Small: £9 · Large: £12', 'Small: £19 · Large: £26']);
  });

  it('A33: shows the period of a price, and the name of a column in every row', () => {
    const rows = rowsOf('Show this as a list.\n\nplan,price per month,desks\nHot,$90,1\nClub,$400,up to 6');
    expect(rows).toMatchObject([
      { value: '$90/month', detail: 'desks: 1' },
      { value: '$400/month', detail: 'desks: up to 6' },
    ]);
  });

  it('A33: puts columns of the same unit side by side, and the others into their own chart', () => {
    const scenes = scenesOf(
      'Show this as a bar chart.\n\nShop,Sales 2023 (k€),Sales 2024 (k€),Returns\nOslo,210,260,2%\nTurin,330,300,4%\nTotal,540,560,3%',
    );
    expect(scenes).toMatchObject([
      {
        format: 'bar-chart',
        props: {
          title: 'Sales',
          unit: 'k€ · Total: 2023 540, 2024 560',
          items: [{ label: 'Oslo · 2023', value: 210 }, {}, {}, {}],
        },
      },
      { format: 'bar-chart', props: { title: 'Returns', suffix: '%', unit: 'Total: 3%' } },
    ]);
  });

  it('A33: applies a unit in a JSON key to its own values only', () => {
    const json = '{"load_ms": {"home": 80, "cart": 140}, "errors_pct": {"home": 0.4, "cart": 1.2}}';
    expect(scenesOf(`${json}\n\nbar chart please`)).toMatchObject([
      { props: { unit: 'ms' } },
      { props: { unit: null, suffix: '%' } },
    ]);
  });
});

describe('values before and after', () => {
  it('A33: are not made of ranges', () => {
    expect(shown('Swimming: beginners from 6 to 9 years, juniors from 10 to 14 years')).not.toContain('→');
  });
});

describe('a menu', () => {
  it('A33: has the day, the dish and the price of each row, and no price on a closed day', () => {
    const menu = 'Mo  Erbsensuppe  6,40\nDi  Grünkohl, Wurst  9,80\nMi  geschlossen\nDo  Labskaus  11,20\nFr  Scholle  12,50';
    expect(rowsOf(`Wochenkarte\n\n${menu}\n\nAlle Preise in Euro`)).toMatchObject([
      { text: 'Mo: Erbsensuppe', value: '6,40' },
      { text: 'Di: Grünkohl, Wurst', value: '9,80' },
      { text: 'Mi: geschlossen', value: null },
      { text: 'Do: Labskaus', value: '11,20' },
      { text: 'Fr: Scholle', value: '12,50' },
    ]);
  });

  it('A33: keeps a section of one dish below its name', () => {
    const menu = 'Starters\nSoup  £5\nBread  £3\nMains\nStew  £14\nPie  £13\nPuddings\nTrifle  £6';
    const scenes = scenesOf(`The Hare & Hound\n\n${menu}`);
    expect(scenes.flatMap(({ props }) => ('title' in props && 'items' in props ? [props['title']] : []))).toEqual([
      'Starters',
      'Mains',
      'Puddings',
    ]);
  });
});

describe('key figures', () => {
  const figures = 'Orders: 4,120\nReturns: 3.1 %\nRefunds: 96\nComplaints: n/a';

  it('A33: leave out a value that is unknown, and report it', () => {
    expect(scenesOf(`Key figures of the shop\n\n${figures}`).at(-1)).toMatchObject({
      format: 'number',
      props: { numbers: { length: 3 } },
    });
    expect(plan(`Key figures of the shop\n\n${figures}`).caveat).toContain('n/a');
  });

  it('A33: give the highlighted figure a scene of its own', () => {
    const scenes = scenesOf(`please highlight refunds in the kpis\n\n${figures}`);
    expect(scenes).toMatchObject([{ props: { numbers: [{ label: 'Refunds' }] } }, { props: { numbers: { length: 2 } } }]);
  });
});

describe('a copied page', () => {
  const body = 'We asked 640 bakers about night work.\n\n**Most of them, 71%,** sleep less than six hours.';

  it.each(['Read more books · 10 minutes a day', 'Facebook is down', 'Copy link 4 of the chain'])(
    'A33: keeps content: %s',
    (line) => {
      expect(shown(`# Notes\n\n${line}\n\n${body}`)).toContain(line.slice(0, 9));
    },
  );

  it('A33: keeps the bold point of a sentence with all its words', () => {
    const prompt = `Make a film from our article, use the numbers:\n\n# Late bills\n\nThe average amount that is still open is **£1,920**.\n\n${body}`;
    expect(shown(prompt)).toContain('The average amount that is still open is £1,920');
  });

  it('A33: keeps the title line above its programme whole', () => {
    const prompt =
      'Please animate this programme.\n\nSales meeting – Graz, 4 and 5 March\n\nMonday\n9:00  Doors\n9:30  Review\n11:00  Workshops';
    expect(shown(prompt)).toContain('Sales meeting – Graz, 4 and 5 March');
  });

  it('A33: titles the steps with the section above them', () => {
    const scenes = scenesOf('Pancakes\n\nWhat to do\n\n1. Beat the eggs.\n2. Add the milk.\n3. Fry in butter.');
    expect(scenes.map(({ props }) => 'title' in props && props['title'])).toEqual([false, 'What to do']);
  });

  it('A33: names each code block after the line above it', () => {
    const code = (name: string) => `\`\`\`js\nconst ${name} = load();\nrun(${name});\n\`\`\``;
    expect(scenesOf(`old way\n\n${code('a')}\n\nnew way\n\n${code('b')}`)).toMatchObject([
      { props: { fileName: 'old way' } },
      { props: { fileName: 'new way' } },
    ]);
  });
});

describe('a named form', () => {
  it.each(['Install with npm install plover', 'pip install plover', 'run cargo add plover'])(
    'A33: types a command: %s',
    (command) => {
      const scenes = scenesOf(`Plover 2.0 is out. ${command}. No config needed.`);
      expect(scenes.find(({ format }) => format === 'terminal')?.props).toMatchObject({
        blocks: [{ input: expect.stringMatching(/^(?:npm install|pip install|cargo add) plover$/u) }],
      });
    },
  );

  it('A33: does not type prose that starts like a command', () => {
    expect(scenesOf('npm is down today, yarn works').map(({ format }) => format)).not.toContain('terminal');
  });

  it('A33: keeps the words around a large number', () => {
    expect(shown('Plover 2.0 is out. 40k events/sec on one core. cargo add plover')).toContain('40k events/sec on one core');
  });
});
