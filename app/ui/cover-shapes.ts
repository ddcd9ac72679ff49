/** Generates landscapes as SVG source. Separate from the component, because the server draws the covers of a page. */

import { type CoverSubject, coverInput, type Motif } from './cover-input.ts';
import { seededRandom } from './lib/seeded-random.ts';

type Random = () => number;

/** Input of a motif. */
interface MotifInput {
  /** Random generator for everything that does not depend on the item's data. */
  random: Random;
  /** Key figure of the item, scaled to the range from 0 to 1. */
  magnitude: number;
  /** Returns the height of the letter at `index`, from 0 to 1. Starts again after the last letter. */
  letter(index: number): number;
}

const WIDTH = 800;
const HEIGHT = 500;

/** Cache of drawn covers, because drawing is the slowest part of rendering a card. */
const cache = new Map<string, string>();
const MAX_CACHED = 200;

/** Draws the cover of a subject, 800 by 500. */
export function drawCover(subject: CoverSubject, override?: Motif): string {
  const key = JSON.stringify([override, subject]);
  let picture = cache.get(key);
  if (!picture) {
    const { motif, magnitude, letters } = coverInput(subject);
    const random = seededRandom(`cover ${subject.slug} ${subject.title} ${subject.figure}`);
    const letter = (index: number) => (letters.length > 0 ? (letters[index % letters.length] ?? 0) : random());
    const shapes = MOTIFS[override ?? motif]({ random, magnitude: magnitude ?? random(), letter });
    picture = `<path d="M0 0H${WIDTH}V${HEIGHT}H0z" fill="var(--art-sky)"/>${shapes}`;
    if (cache.size >= MAX_CACHED) cache.clear();
    cache.set(key, picture);
  }
  return picture;
}

/** Returns the horizontal position of the sun in a cover of width 800. Defaults to the middle. */
export function findSun(picture: string): number {
  const [, x] = /<circle cx="(\d+)"[^>]* fill="var\(--art-sun\)"/.exec(picture) ?? [];
  return x === undefined ? WIDTH / 2 : Number(x);
}

const MOTIFS: Record<Motif, (input: MotifInput) => string> = {
  fjord,
  readings,
  soundings,
  lighthouse,
  tides,
  wake,
  beacons,
};

/** Ridges that fall to a fjord. A larger figure moves the sun up and to the right. */
function fjord({ random, magnitude, letter }: MotifInput): string {
  const valley = (0.28 + magnitude * 0.44) * WIDTH;
  const sun = { x: Math.round(valley + between(random, -50, 50)), y: Math.round(255 - magnitude * 80) };
  const radius = Math.round(between(random, 34, 58));
  const step = Math.round(between(random, 26, 40));
  const water = Math.round(between(random, 350, 385));
  const rings = repeat(9, (ring) => {
    const opacity = (0.75 - ring * 0.07).toFixed(2);
    return `<circle cx="${sun.x}" cy="${sun.y}" r="${radius + step * (ring + 1)}" opacity="${opacity}"/>`;
  });
  const far = ridge({ random, letter }, valley, 250, 170);
  const mid = ridge({ random, letter }, valley, 305, 215);
  const near = ridge({ random, letter }, valley, 352, 235);
  const glitter = repeat(8, (row) => {
    const half = Math.round((radius * 1.7 - row * 6) * between(random, 0.55, 1.1));
    const shift = Math.round(between(random, -16, 16));
    const start = `${sun.x - half + shift} ${water + 14 + row * 15}`;
    return `<path d="M${start}h${half * 2}" opacity="${(0.9 - row * 0.09).toFixed(2)}"/>`;
  });
  return (
    `<g fill="none" stroke="var(--art-arc)" stroke-width="1.5">${rings}</g>` +
    `<circle cx="${sun.x}" cy="${sun.y}" r="${radius}" fill="var(--art-sun)"/>` +
    `<path d="${far}" fill="var(--art-far)"/>` +
    `<path d="${mid}" fill="var(--art-mid)"/>` +
    `<path d="${near}M0 ${water}H${WIDTH}V${HEIGHT}H0z" fill="var(--art-near)"/>` +
    `<g stroke="var(--art-line)" stroke-width="2" stroke-linecap="round">${glitter}</g>`
  );
}

/** Stacked curves that form a mountain. The figure sets the height of the signal. */
function readings({ random, magnitude, letter }: MotifInput): string {
  const peak = between(random, 0.3, 0.7) * WIDTH;
  const rows = 17;
  const signal = 12 - Math.round(magnitude * 9);
  const lines = repeat(rows, (row) => {
    const base = 120 + row * 22;
    const height = 40 + 90 * Math.sin((Math.PI * (row + 1)) / (rows + 1));
    // The outlines extend beyond the frame, so that no stroke is visible at its sides.
    const points = range(37).map((index) => {
      const x = (index - 2) * 25;
      const bell = Math.exp(-(((x - peak - (row - 8) * 4) / 150) ** 2));
      const side = 0.3 * Math.exp(-(((x - peak * 0.45 - 330) / 90) ** 2));
      return [x, base - (bell + side) * height * (0.4 + letter(index + row * 5) * 0.8) - random() * 4] as const;
    });
    const fill = row > rows - 5 ? 'mid' : row > rows - 10 ? 'far' : 'sky';
    const stroke = row === signal ? 'stroke="var(--art-sun)" stroke-width="4"' : '';
    return `<path d="${smooth(points)}V${HEIGHT + 50}H-50z" fill="var(--art-${fill})" ${stroke}/>`;
  });
  return `<g stroke="var(--art-arc)" stroke-width="1.5" stroke-linejoin="round">${lines}</g>`;
}

/** A sea chart bent by letters. A larger figure moves the buoy to the right. */
function soundings({ random, magnitude, letter }: MotifInput): string {
  const centre = { x: (0.3 + magnitude * 0.4) * WIDTH, y: between(random, 0.35, 0.65) * HEIGHT };
  const harmonics = range(4).map((index) => ({
    size: (0.03 + letter(index * 3) * 0.17) / (index * 0.5 + 1),
    phase: random() * Math.PI * 2,
  }));
  const contour = (radius: number) =>
    `${smooth(
      range(49).map((index) => {
        const angle = (index / 48) * Math.PI * 2;
        const wobble = harmonics.reduce(
          (sum, { size, phase }, at) => sum + size * Math.sin((at + 2) * angle + phase),
          1,
        );
        return [
          centre.x + Math.cos(angle) * radius * wobble * 1.35,
          centre.y + Math.sin(angle) * radius * wobble,
        ] as const;
      }),
    )}z`;
  const start = { x: random() < 0.5 ? 0 : WIDTH, y: Math.round(between(random, 380, 470)) };
  const buoy = { x: Math.round(centre.x), y: Math.round(centre.y) };
  const depths = repeat(9, (ring) => {
    const opacity = (0.8 - ring * 0.07).toFixed(2);
    return `<path d="${contour(292 + ring * 42)}" opacity="${opacity}"/>`;
  });
  const shallows = [55, 108, 137, 194, 222].map(contour).join('');
  return (
    `<path d="${contour(250)}" fill="var(--art-far)"/>` +
    `<path d="${contour(165)}" fill="var(--art-mid)"/>` +
    `<path d="${contour(80)}" fill="var(--art-near)"/>` +
    `<g fill="none" stroke="var(--art-arc)" stroke-width="1.25">${depths}</g>` +
    `<path d="${shallows}" fill="none" stroke="var(--art-line)" stroke-width="1.25" opacity="0.55"/>` +
    `<path d="M${start.x} ${start.y}Q${buoy.x} ${start.y + 20} ${buoy.x} ${buoy.y}" fill="none" ` +
    'stroke="var(--art-sun)" stroke-width="3" stroke-dasharray="2 11" stroke-linecap="round"/>' +
    `<circle cx="${buoy.x}" cy="${buoy.y}" r="13" fill="var(--art-sun)"/>`
  );
}

/** A lighthouse on a skerry, higher for a larger figure. The letters set the lengths of the waves. */
function lighthouse({ random, magnitude, letter }: MotifInput): string {
  const x = Math.round(between(random, 0.24, 0.76) * WIDTH);
  const lamp = Math.round(255 - magnitude * 75);
  const shore = 372;
  const rotation = random() * 0.5;
  const edge = (angle: number) =>
    `${Math.round(x + Math.cos(angle) * 1000)} ${Math.round(lamp + Math.sin(angle) * 1000)}`;
  const left = Math.round(between(random, 90, 150));
  const right = Math.round(between(random, 90, 150));
  const beams = repeat(7, (beam) => {
    const angle = Math.PI * (1 + (beam + rotation) / 6.5);
    return `M${x} ${lamp}L${edge(angle - 0.085)}L${edge(angle + 0.085)}z`;
  });
  const rings = repeat(4, (ring) => {
    const opacity = (0.85 - ring * 0.17).toFixed(2);
    return `<circle cx="${x}" cy="${lamp}" r="${38 + ring * 24}" opacity="${opacity}"/>`;
  });
  const dashes = repeat(16, (dash) => {
    const start = Math.round(random() * WIDTH);
    return `M${start} ${shore + 16 + Math.floor(dash / 2) * 15}h${Math.round(24 + letter(dash) * 96)}`;
  });
  const skerry =
    `M${x - left} ${shore + 14}L${Math.round(x - left * 0.5)} ${shore - 30}L${x - 26} ${shore - 48}` +
    `H${x + 24}L${Math.round(x + right * 0.6)} ${shore - 22}L${x + right} ${shore + 14}z`;
  const tower = `M${x - 15} ${shore - 46}L${x - 9} ${lamp + 14}H${x + 9}L${x + 15} ${shore - 46}z`;
  return (
    `<path d="${beams}" fill="var(--art-far)"/>` +
    `<g fill="none" stroke="var(--art-arc)" stroke-width="1.5">${rings}</g>` +
    `<path d="M0 ${shore}H${WIDTH}V${HEIGHT}H0z" fill="var(--art-mid)"/>` +
    `<path d="${dashes}" stroke="var(--art-line)" stroke-width="2" stroke-linecap="round" opacity="0.5"/>` +
    `<path d="${skerry}${tower}" fill="var(--art-near)"/>` +
    `<circle cx="${x}" cy="${lamp}" r="17" fill="var(--art-sun)"/>`
  );
}

/** Tides as columns, one per letter. The figure sets how many columns are full. The sun is above the highest column. */
function tides({ random, magnitude, letter }: MotifInput): string {
  const columns = 23;
  const step = WIDTH / columns;
  const waves = range(2).map((wave) => ({
    size: between(random, 50, 85) / (wave + 1),
    turns: between(random, 0.8, 1.3) * (wave + 1),
    phase: random() * Math.PI * 2,
  }));
  const tops = range(columns).map((column) => {
    const along = column / (columns - 1);
    const lift = waves.reduce(
      (sum, { size, turns, phase }) => sum + size * Math.sin(along * turns * Math.PI * 2 + phase),
      0,
    );
    return Math.round(265 - lift * 0.6 - (letter(column) - 0.5) * 90);
  });
  // Leave out the sides, because a narrow frame would crop them.
  const innerTops = tops.map((top, column) => (column < 6 || column > columns - 7 ? HEIGHT : top));
  const full = Math.round(magnitude * columns);
  const highest = innerTops.indexOf(Math.min(...innerTops));
  const bars = (from: number, width: number) =>
    tops
      .slice(0, from > 0 ? full : columns)
      .map((top, column) => {
        const x = Math.round(column * step + (step - width) / 2);
        const height = HEIGHT - top + 20;
        return `M${x} ${top + from}h${width}v${Math.max(0, height - from)}h-${width}z`;
      })
      .join('');
  const line = tops.map((top, column) => [column * step + step / 2, top - 26] as const);
  const ends = [[-step, line[0]?.[1] ?? 0] as const, ...line, [WIDTH + step, line.at(-1)?.[1] ?? 0] as const];
  return (
    `<path d="${bars(0, 20)}" fill="var(--art-far)"/>` +
    `<path d="${bars(54, 20)}" fill="var(--art-mid)"/>` +
    `<path d="${bars(130, 20)}" fill="var(--art-near)"/>` +
    `<path d="${smooth(ends)}" fill="none" stroke="var(--art-arc)" stroke-width="1.5"/>` +
    `<circle cx="${Math.round(highest * step + step / 2)}" cy="${(tops[highest] ?? 0) - 26}" r="24" fill="var(--art-sun)"/>`
  );
}

/** A boat seen from above. The figure sets its position, and each letter adds a wave. */
function wake({ random, magnitude, letter }: MotifInput): string {
  const heading = between(random, -0.3, 0.3);
  const boat = { x: (0.44 + magnitude * 0.24) * WIDTH, y: between(random, 0.38, 0.62) * HEIGHT };
  const side = random() < 0.5 ? -1 : 1;
  const at = (back: number, across: number) => {
    const [x, y] = [
      -back * Math.cos(heading) - across * Math.sin(heading),
      -back * Math.sin(heading) + across * Math.cos(heading),
    ];
    return [Math.round(side < 0 ? WIDTH - boat.x - x : boat.x + x), Math.round(boat.y + y)] as const;
  };
  const length = 900;
  const arm = (spread: number, bend: number) =>
    [-1, 1]
      .map((way) => `M${at(30, 0)}Q${at(length * 0.45, way * spread * bend)} ${at(length, way * spread)}`)
      .join('');
  const arms = repeat(
    8,
    (ring) => `<path d="${arm(70 + ring * 62, 0.28)}" opacity="${(0.95 - ring * 0.1).toFixed(2)}"/>`,
  );
  const crests = repeat(9, (row) => {
    const back = 110 + row * 62 + between(random, -6, 6);
    const half = 8 + letter(row) * 12 + row * 10;
    return `M${at(back, -half)}Q${at(back - 16 - row * 2, 0)} ${at(back, half)}`;
  });
  const foam = `M${at(10, 0)}L${at(length, -92)}L${at(length, 92)}z`;
  const hull = `M${at(-44, 0)}Q${at(-14, -17)} ${at(26, -14)}L${at(26, 14)}Q${at(-14, 17)} ${at(-44, 0)}z`;
  return (
    `<path d="M0 0H${WIDTH}V${HEIGHT}H0z" fill="var(--art-mid)"/>` +
    `<path d="${foam}" fill="var(--art-far)" opacity="0.55"/>` +
    `<g fill="none" stroke="var(--art-line)" stroke-width="1.75">${arms}<path d="${crests}" opacity="0.8"/></g>` +
    `<path d="${hull}" fill="var(--art-near)"/>` +
    `<circle cx="${at(4, 0)[0]}" cy="${at(4, 0)[1]}" r="8" fill="var(--art-sun)"/>`
  );
}

/** Hills with masts that relay a signal. The figure sets how many masts the signal has reached. */
function beacons({ random, magnitude, letter }: MotifInput): string {
  const tones = ['far', 'mid', 'near'];
  const stations: (readonly [number, number])[] = [];
  const hills = tones
    .map((tone, row) => {
      const base = 300 + row * 62;
      const top = {
        x: (0.22 + row * 0.28 + between(random, -0.05, 0.05)) * WIDTH,
        height: 80 + letter(row * 4) * 60 - row * 14,
      };
      const points = range(25).map((index) => {
        const x = (index - 2) * 40;
        const bell = Math.exp(-(((x - top.x) / 150) ** 2));
        const swell = 12 * Math.sin(x / 90 + row * 2.1);
        return [x, base - bell * top.height - swell] as const;
      });
      const peak = [Math.round(top.x), Math.round(base - top.height - 12 * Math.sin(top.x / 90 + row * 2.1))] as const;
      stations.push(peak);
      const mast = `M${peak[0]} ${peak[1] + 8}V${peak[1] - 58}M${peak[0] - 9} ${peak[1] + 4}L${peak[0]} ${peak[1] - 34}L${peak[0] + 9} ${peak[1] + 4}`;
      return (
        `<path d="${mast}" fill="none" stroke="var(--art-near)" stroke-width="3"/>` +
        `<path d="${smooth(points)}V${HEIGHT + 50}H-100z" fill="var(--art-${tone})"/>`
      );
    })
    .join('');
  const lit = Math.min(stations.length - 1, Math.floor(magnitude * stations.length));
  const lamps = stations.map(([x, y]) => [x, y - 62] as const);
  const rings = repeat(6, (ring) => {
    const [x, y] = lamps[lit] ?? [0, 0];
    return `<circle cx="${x}" cy="${y}" r="${32 + ring * 30}" opacity="${(0.85 - ring * 0.12).toFixed(2)}"/>`;
  });
  const links = lamps
    .slice(1)
    .map(([x, y], index) => {
      const [fromX, fromY] = lamps[index] ?? [0, 0];
      return `M${fromX} ${fromY}Q${Math.round((fromX + x) / 2)} ${Math.min(fromY, y) - 70} ${x} ${y}`;
    })
    .join('');
  const dots = lamps
    .map(
      ([x, y], index) =>
        `<circle cx="${x}" cy="${y}" r="${index === lit ? 15 : 7}" fill="var(--art-${index === lit ? 'sun' : 'arc'})"/>`,
    )
    .join('');
  return (
    `<g fill="none" stroke="var(--art-arc)" stroke-width="1.5">${rings}` +
    `<path d="${links}" stroke-width="2" stroke-dasharray="1 9" stroke-linecap="round"/></g>${hills}${dots}`
  );
}

/**
 * Returns the outline of mountains with one summit per letter. The outline is low at the valley and reaches `height` above the base
 * at both sides.
 */
function ridge(
  { random, letter }: Pick<MotifInput, 'random' | 'letter'>,
  valley: number,
  base: number,
  height: number,
): string {
  const points: string[] = [];
  let x = -30;
  let up = random() < 0.5;
  while (x < WIDTH + 60) {
    const slope = Math.min(1, Math.abs(x - valley) / 430) ** 1.15;
    const y = base + 40 - slope * height + (up ? -1 : 1) * (6 + letter(points.length) * 32) * (0.25 + slope);
    points.push(`${Math.round(x)} ${Math.round(y)}`);
    x += between(random, 26, 74);
    up = !up;
  }
  return `M-30 ${HEIGHT}L${points.join('L')}V${HEIGHT}z`;
}

/**
 * Returns a smooth curve through the midpoints of the given points. SVG mirrors the control point of `t`, so even coordinates
 * give whole numbers without drift.
 */
function smooth(points: (readonly [number, number])[]): string {
  const even = points.map(([x, y]) => [2 * Math.round(x / 2), 2 * Math.round(y / 2)] as const);
  const [first, second, ...rest] = even;
  if (!first || !second) return '';
  let path = `M${first[0]} ${first[1]}Q${second[0]} ${second[1]} `;
  let [x, y] = second;
  let joint: readonly [number, number] | undefined;
  for (const [nextX, nextY] of rest) {
    const [jointX, jointY] = [(x + nextX) / 2, (y + nextY) / 2];
    path += joint ? pair('t', jointX - joint[0], jointY - joint[1]) : `${jointX} ${jointY}`;
    joint = [jointX, jointY];
    [x, y] = [nextX, nextY];
  }
  return `${path}L${x} ${y}`;
}

/** Formats a command with two numbers. A minus sign also separates them. */
function pair(command: string, first: number, second: number): string {
  return `${command}${first}${second < 0 ? '' : ' '}${second}`;
}

function between(random: Random, from: number, to: number): number {
  return from + random() * (to - from);
}

function range(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}

function repeat(count: number, shape: (index: number) => string): string {
  return range(count).map(shape).join('');
}
