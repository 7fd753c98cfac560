import type { Report } from './suite.ts';
import { timeOf } from './time.ts';
import { SIZES, turnAt } from './works.ts';

/** A panel for each store: milliseconds a turn takes, by how many items there are; a line for each contender. */
export function chartOf(reports: readonly Report[]): string {
  const rows = Math.ceil(reports.length / 2);
  const [width, height] = [PANEL.width * 2, PANEL.height * rows];
  const panels = reports.map((report, index) => {
    const at = `translate(${(index % 2) * PANEL.width} ${(index >> 1) * PANEL.height})`;
    return `<g transform="${at}">${panelOf(report)}</g>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" font-family="system-ui, sans-serif" font-size="12">`,
    '<title>How long one turn takes, by how long the history is</title>',
    `<style>${STYLE}</style>`,
    `<rect class="ground" width="${width}" height="${height}"/>`,
    ...panels,
    '</svg>',
    '',
  ].join('\n');
}

const PANEL = { width: 520, height: 300 };
const PLOT = { left: 70, top: 58, width: 260, height: 196 };

/** Told apart by those too who see no colours: ours is thick, and each line has its name at its end. */
const STYLE = [
  '.ground{fill:#fff}text{fill:#24292f}.quiet{fill:#57606a}.grid{stroke:#d0d7de}',
  'path{fill:none;stroke-width:1.5}.a{stroke:#0969da;stroke-width:3}.raw{stroke:#6e7781;stroke-dasharray:4 3}',
  '.b{stroke:#bf3989}.c{stroke:#bc4c00}.d{stroke:#8250df}.e{stroke:#1a7f37}',
  '@media(prefers-color-scheme:dark){.ground{fill:#0d1117}text{fill:#e6edf3}.quiet{fill:#8d96a0}.grid{stroke:#30363d}',
  '.a{stroke:#4493f8}.raw{stroke:#8d96a0}.b{stroke:#f778ba}.c{stroke:#f0883e}.d{stroke:#ab7df8}.e{stroke:#3fb950}}',
].join('');

const CLASSES = ['a', 'b', 'c', 'd', 'e'];

interface Line {
  readonly name: string;
  readonly points: readonly { size: number; micros: number }[];
}

function panelOf({ store, sideBySide }: Report): string {
  const { left, top, width, height } = PLOT;
  const lines = linesOf(sideBySide);
  const all = lines.flatMap(({ points }) => points.map(({ micros }) => micros));
  const [low, high] = [Math.floor(Math.log10(Math.min(...all))), Math.ceil(Math.log10(Math.max(...all)))];
  const x = (size: number) => left + (Math.log10(size) / Math.log10(SIZES.at(-1)!)) * width;
  const y = (micros: number) => top + height - ((Math.log10(micros) - low) / (high - low)) * height;
  const grid = Array.from({ length: high - low + 1 }, (_, power) => {
    const micros = 10 ** (low + power);
    return `<line class="grid" x1="${left}" x2="${left + width}" y1="${y(micros)}" y2="${y(micros)}"/><text class="quiet" x="${left - 8}" y="${y(micros) + 4}" text-anchor="end">${timeOf(micros)}</text>`;
  });
  const sizes = SIZES.map(
    (size) =>
      `<text class="quiet" x="${x(size)}" y="${top + height + 20}" text-anchor="middle">${size.toLocaleString('en')}</text>`,
  );
  const ends = spread(lines.map(({ points }) => y(points.at(-1)!.micros)));
  const drawn = lines.map(({ name, points }, index) => {
    const path = points
      .map(({ size, micros }) => `${x(size).toFixed(1)} ${y(micros).toFixed(1)}`)
      .join(' L ');
    return `<path class="${name === store.raw?.name ? 'raw' : CLASSES[index]}" d="M ${path}"/><text x="${x(points.at(-1)!.size) + 8}" y="${ends[index]! + 4}">${name.replace(/ \d\S*$/, '')}</text>`;
  });
  return [
    `<text x="${left}" y="26" font-size="15" font-weight="600">${store.title}</text>`,
    `<text class="quiet" x="${left}" y="44">one turn, by the number of stored items</text>`,
    ...grid,
    ...sizes,
    ...drawn,
  ].join('\n');
}

function linesOf(rows: Report['sideBySide']): Line[] {
  const found = new Map<string, { size: number; micros: number }[]>();
  for (const size of SIZES) {
    const { results } = rows.find(({ work }) => work === turnAt(size).name)!;
    for (const result of results) {
      if ('failure' in result) continue;
      const points = found.get(result.name) ?? [];
      points.push({ size, micros: result.micros });
      found.set(result.name, points);
    }
  }
  return Array.from(found, ([name, points]) => ({ name, points }));
}

/** The same heights, moved apart where names would lie on each other. */
function spread(heights: readonly number[]): number[] {
  const apart = 15;
  const order = heights.map((height, index) => ({ height, index })).sort((a, b) => a.height - b.height);
  for (let at = 1; at < order.length; at++) {
    order[at]!.height = Math.max(order[at]!.height, order[at - 1]!.height + apart);
  }
  return order.sort((a, b) => a.index - b.index).map(({ height }) => height);
}
