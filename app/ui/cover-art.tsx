import { clsx } from 'clsx';
import type { ReactElement } from 'react';
import { seededRandom } from '../lib/seeded-random.ts';

interface CoverArtProps {
  /** The slug or name it belongs to: the same seed gives the same picture. */
  seed: string;
  className?: string;
}

type Random = () => number;

const WIDTH = 800;
const HEIGHT = 500;

/** Pictures drawn before, because drawing takes longer than everything else of a card. */
const drawn = new Map<string, ReactElement>();
const MAX_DRAWN = 200;

/** A landscape drawn from a slug, in the colours of the theme. Stands where a picture would be; decoration only. */
export function CoverArt({ seed, className }: CoverArtProps) {
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="xMidYMid slice"
      aria-hidden="true"
      className={clsx('block', className ?? 'size-full')}
    >
      <rect width={WIDTH} height={HEIGHT} fill="var(--art-sky)" />
      {draw(seed)}
    </svg>
  );
}

function draw(seed: string): ReactElement {
  let picture = drawn.get(seed);
  if (!picture) {
    const random = seededRandom(`cover ${seed}`);
    const motif = MOTIFS[Math.floor(random() * MOTIFS.length)] ?? fjord;
    picture = motif(random);
    if (drawn.size >= MAX_DRAWN) drawn.clear();
    drawn.set(seed, picture);
  }
  return picture;
}

const MOTIFS: ((random: Random) => ReactElement)[] = [fjord, readings, soundings, lighthouse];

/** Ridges that fall to a fjord, signal arcs around a low sun, its light on the water. */
function fjord(random: Random) {
  const valley = between(random, 0.28, 0.72) * WIDTH;
  const sun = { x: Math.round(valley + between(random, -50, 50)), y: Math.round(between(random, 190, 250)) };
  const radius = Math.round(between(random, 34, 58));
  const step = Math.round(between(random, 26, 40));
  const water = Math.round(between(random, 350, 385));
  return (
    <>
      <g fill="none" stroke="var(--art-arc)" strokeWidth="1.5">
        {range(9).map((ring) => (
          <circle
            key={ring}
            cx={sun.x}
            cy={sun.y}
            r={radius + step * (ring + 1)}
            opacity={(0.75 - ring * 0.07).toFixed(2)}
          />
        ))}
      </g>
      <circle cx={sun.x} cy={sun.y} r={radius} fill="var(--art-sun)" />
      <path d={ridge(random, valley, 250, 170)} fill="var(--art-far)" />
      <path d={ridge(random, valley, 305, 215)} fill="var(--art-mid)" />
      <path d={ridge(random, valley, 352, 235)} fill="var(--art-near)" />
      <rect y={water} width={WIDTH} height={HEIGHT - water} fill="var(--art-near)" />
      <g stroke="var(--art-line)" strokeWidth="2" strokeLinecap="round">
        {range(8).map((row) => {
          const y = water + 14 + row * 15;
          const half = Math.round((radius * 1.7 - row * 6) * between(random, 0.55, 1.1));
          const shift = Math.round(between(random, -16, 16));
          return (
            <path key={row} d={`M${sun.x - half + shift} ${y}h${half * 2}`} opacity={(0.9 - row * 0.09).toFixed(2)} />
          );
        })}
      </g>
    </>
  );
}

/** Stacked readings of an instrument that together make a mountain; one of them is the signal. */
function readings(random: Random) {
  const peak = between(random, 0.3, 0.7) * WIDTH;
  const rows = 17;
  const signal = 6 + Math.floor(random() * 7);
  return (
    <g strokeWidth="2" strokeLinejoin="round">
      {range(rows).map((row) => {
        const base = 120 + row * 22;
        const height = 40 + 90 * Math.sin((Math.PI * (row + 1)) / (rows + 1));
        const points = range(33).map((index) => {
          const x = index * 25;
          const bell = Math.exp(-(((x - peak - (row - 8) * 4) / 150) ** 2));
          const side = 0.3 * Math.exp(-(((x - peak * 0.45 - 330) / 90) ** 2));
          return [x, base - (bell + side) * height * (0.45 + random() * 0.75) - random() * 4] as const;
        });
        const lit = row === signal;
        return (
          <path
            key={row}
            d={`${smooth(points)}V${HEIGHT}H0Z`}
            fill={row > rows - 5 ? 'var(--art-mid)' : row > rows - 10 ? 'var(--art-far)' : 'var(--art-sky)'}
            stroke={lit ? 'var(--art-sun)' : 'var(--art-arc)'}
            strokeWidth={lit ? 4 : 1.5}
          />
        );
      })}
    </g>
  );
}

/** A chart of the sea floor: depth contours, a course across them, the buoy at its end. */
function soundings(random: Random) {
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
    )}Z`;
  const start = { x: random() < 0.5 ? 0 : WIDTH, y: between(random, 380, 470) };
  return (
    <>
      <path d={contour(250)} fill="var(--art-far)" />
      <path d={contour(165)} fill="var(--art-mid)" />
      <path d={contour(80)} fill="var(--art-near)" />
      <g fill="none" stroke="var(--art-arc)" strokeWidth="1.25">
        {range(9).map((ring) => (
          <path key={ring} d={contour(292 + ring * 42)} opacity={(0.8 - ring * 0.07).toFixed(2)} />
        ))}
      </g>
      <g fill="none" stroke="var(--art-line)" strokeWidth="1.25" opacity="0.55">
        {[55, 108, 137, 194, 222].map((radius) => (
          <path key={radius} d={contour(radius)} />
        ))}
      </g>
      <path
        d={`M${start.x} ${Math.round(start.y)}Q${Math.round(centre.x)} ${Math.round(start.y + 20)} ${Math.round(centre.x)} ${Math.round(centre.y)}`}
        fill="none"
        stroke="var(--art-sun)"
        strokeWidth="3"
        strokeDasharray="2 11"
        strokeLinecap="round"
      />
      <circle cx={Math.round(centre.x)} cy={Math.round(centre.y)} r="13" fill="var(--art-sun)" />
    </>
  );
}

/** A light on a skerry: beams over a calm sea, rings of the signal around the lamp. */
function lighthouse(random: Random) {
  const x = Math.round(between(random, 0.24, 0.76) * WIDTH);
  const lamp = Math.round(between(random, 205, 240));
  const shore = 372;
  const turn = random() * 0.5;
  const edge = (angle: number) =>
    `${Math.round(x + Math.cos(angle) * 1000)} ${Math.round(lamp + Math.sin(angle) * 1000)}`;
  const left = Math.round(between(random, 90, 150));
  const right = Math.round(between(random, 90, 150));
  return (
    <>
      {range(7).map((beam) => {
        const angle = Math.PI * (1 + (beam + turn) / 6.5);
        return (
          <path key={beam} d={`M${x} ${lamp}L${edge(angle - 0.085)}L${edge(angle + 0.085)}Z`} fill="var(--art-far)" />
        );
      })}
      <g fill="none" stroke="var(--art-arc)" strokeWidth="1.5">
        {range(4).map((ring) => (
          <circle key={ring} cx={x} cy={lamp} r={38 + ring * 24} opacity={(0.85 - ring * 0.17).toFixed(2)} />
        ))}
      </g>
      <rect y={shore} width={WIDTH} height={HEIGHT - shore} fill="var(--art-mid)" />
      <g stroke="var(--art-line)" strokeWidth="2" strokeLinecap="round">
        {range(16).map((dash) => {
          const y = shore + 16 + Math.floor(dash / 2) * 15;
          const start = Math.round(random() * WIDTH);
          return <path key={dash} d={`M${start} ${y}h${Math.round(between(random, 30, 120))}`} opacity="0.5" />;
        })}
      </g>
      <path
        d={`M${x - left} ${shore + 14}L${x - left * 0.5} ${shore - 30}L${x - 26} ${shore - 48}H${x + 24}L${x + right * 0.6} ${shore - 22}L${x + right} ${shore + 14}Z`}
        fill="var(--art-near)"
      />
      <path
        d={`M${x - 15} ${shore - 46}L${x - 9} ${lamp + 14}H${x + 9}L${x + 15} ${shore - 46}Z`}
        fill="var(--art-near)"
      />
      <circle cx={x} cy={lamp} r="17" fill="var(--art-sun)" />
    </>
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
  return `M-30 ${HEIGHT}L${points.join('L')}V${HEIGHT}Z`;
}

/** A path through the midpoints of the given points, rounded at each. */
function smooth(points: (readonly [number, number])[]): string {
  const [first, ...rest] = points;
  if (!first) return '';
  const last = points.at(-1) ?? first;
  let path = `M${Math.round(first[0])} ${Math.round(first[1])}`;
  rest.slice(0, -1).forEach(([x, y], index) => {
    const [nextX, nextY] = rest[index + 1] ?? last;
    path += `Q${Math.round(x)} ${Math.round(y)} ${Math.round((x + nextX) / 2)} ${Math.round((y + nextY) / 2)}`;
  });
  return `${path}L${Math.round(last[0])} ${Math.round(last[1])}`;
}

function between(random: Random, from: number, to: number): number {
  return from + random() * (to - from);
}

function range(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}
