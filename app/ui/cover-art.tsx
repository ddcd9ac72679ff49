import { clsx } from 'clsx';
import { seededRandom } from '../lib/seeded-random.ts';
import { Drawing } from './drawing.tsx';

interface CoverArtProps {
  /** The slug or name it belongs to: the same seed gives the same picture. */
  seed: string;
  className?: string;
}

type Random = () => number;

const WIDTH = 800;
const HEIGHT = 500;

/** Pictures drawn before, because drawing takes longer than everything else of a card. */
const drawn = new Map<string, string>();
const MAX_DRAWN = 200;

/** A landscape drawn from a slug, in the colours of the theme. Stands where a picture would be; decoration only. */
export function CoverArt({ seed, className }: CoverArtProps) {
  return (
    <Drawing
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="xMidYMid slice"
      className={clsx('block', className ?? 'size-full')}
      shapes={draw(seed)}
    />
  );
}

function draw(seed: string): string {
  let picture = drawn.get(seed);
  if (!picture) {
    const random = seededRandom(`cover ${seed}`);
    const motif = MOTIFS[Math.floor(random() * MOTIFS.length)] ?? fjord;
    picture = `<path d="M0 0H${WIDTH}V${HEIGHT}H0z" fill="var(--art-sky)"/>${motif(random)}`;
    if (drawn.size >= MAX_DRAWN) drawn.clear();
    drawn.set(seed, picture);
  }
  return picture;
}

const MOTIFS: ((random: Random) => string)[] = [fjord, readings, soundings, lighthouse];

/** Ridges that fall to a fjord, signal arcs around a low sun, its light on the water. */
function fjord(random: Random): string {
  const valley = between(random, 0.28, 0.72) * WIDTH;
  const sun = { x: Math.round(valley + between(random, -50, 50)), y: Math.round(between(random, 190, 250)) };
  const radius = Math.round(between(random, 34, 58));
  const step = Math.round(between(random, 26, 40));
  const water = Math.round(between(random, 350, 385));
  const rings = repeat(9, (ring) => {
    const opacity = (0.75 - ring * 0.07).toFixed(2);
    return `<circle cx="${sun.x}" cy="${sun.y}" r="${radius + step * (ring + 1)}" opacity="${opacity}"/>`;
  });
  const far = ridge(random, valley, 250, 170);
  const mid = ridge(random, valley, 305, 215);
  const near = ridge(random, valley, 352, 235);
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

/** Stacked readings of an instrument that together make a mountain; one of them is the signal. */
function readings(random: Random): string {
  const peak = between(random, 0.3, 0.7) * WIDTH;
  const rows = 17;
  const signal = 6 + Math.floor(random() * 7);
  const lines = repeat(rows, (row) => {
    const base = 120 + row * 22;
    const height = 40 + 90 * Math.sin((Math.PI * (row + 1)) / (rows + 1));
    const points = range(33).map((index) => {
      const x = index * 25;
      const bell = Math.exp(-(((x - peak - (row - 8) * 4) / 150) ** 2));
      const side = 0.3 * Math.exp(-(((x - peak * 0.45 - 330) / 90) ** 2));
      return [x, base - (bell + side) * height * (0.45 + random() * 0.75) - random() * 4] as const;
    });
    const fill = row > rows - 5 ? 'mid' : row > rows - 10 ? 'far' : 'sky';
    const stroke = row === signal ? 'stroke="var(--art-sun)" stroke-width="4"' : '';
    return `<path d="${smooth(points)}V${HEIGHT}H0z" fill="var(--art-${fill})" ${stroke}/>`;
  });
  return `<g stroke="var(--art-arc)" stroke-width="1.5" stroke-linejoin="round">${lines}</g>`;
}

/** A chart of the sea floor: depth contours, a course across them, the buoy at its end. */
function soundings(random: Random): string {
  const centre = { x: between(random, 0.3, 0.7) * WIDTH, y: between(random, 0.35, 0.65) * HEIGHT };
  const harmonics = range(4).map((index) => ({
    size: between(random, 0.04, 0.2) / (index * 0.5 + 1),
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

/** A light on a skerry: beams over a calm sea, rings of the signal around the lamp. */
function lighthouse(random: Random): string {
  const x = Math.round(between(random, 0.24, 0.76) * WIDTH);
  const lamp = Math.round(between(random, 205, 240));
  const shore = 372;
  const turn = random() * 0.5;
  const edge = (angle: number) =>
    `${Math.round(x + Math.cos(angle) * 1000)} ${Math.round(lamp + Math.sin(angle) * 1000)}`;
  const left = Math.round(between(random, 90, 150));
  const right = Math.round(between(random, 90, 150));
  const beams = repeat(7, (beam) => {
    const angle = Math.PI * (1 + (beam + turn) / 6.5);
    return `M${x} ${lamp}L${edge(angle - 0.085)}L${edge(angle + 0.085)}z`;
  });
  const rings = repeat(4, (ring) => {
    const opacity = (0.85 - ring * 0.17).toFixed(2);
    return `<circle cx="${x}" cy="${lamp}" r="${38 + ring * 24}" opacity="${opacity}"/>`;
  });
  const dashes = repeat(16, (dash) => {
    const start = Math.round(random() * WIDTH);
    return `M${start} ${shore + 16 + Math.floor(dash / 2) * 15}h${Math.round(between(random, 30, 120))}`;
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

/** The outline of angular mountains: low at the valley, `height` above the base at the far sides. */
function ridge(random: Random, valley: number, base: number, height: number): string {
  const points: string[] = [];
  let x = -30;
  let up = random() < 0.5;
  while (x < WIDTH + 60) {
    const slope = Math.min(1, Math.abs(x - valley) / 430) ** 1.15;
    const y = base + 40 - slope * height + (up ? -1 : 1) * between(random, 8, 34) * (0.25 + slope);
    points.push(`${Math.round(x)} ${Math.round(y)}`);
    x += between(random, 26, 74);
    up = !up;
  }
  return `M-30 ${HEIGHT}L${points.join('L')}V${HEIGHT}z`;
}

/**
 * A curve through the midpoints of the given points, rounded at each. SVG mirrors the control point of `t` about the
 * joint, which gives the next point again; with even coordinates the joints are whole numbers and nothing drifts.
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

/** A command with two numbers; a minus sign separates them as well as a space. */
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
