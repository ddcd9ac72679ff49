import './signal-field.css';

const HEIGHT = 400;
const PERIOD = 1200;

/** Swells of the fjord, from far to near: each its own layer, so that moving it costs no painting. */
const LAYERS = [
  { seconds: 90, lines: [wave(96, 5, 400), wave(116, 7, 300), wave(138, 8, 600)], tone: 'text-line-strong opacity-35' },
  { seconds: 60, lines: [wave(166, 12, 600), wave(196, 15, 400)], tone: 'text-line-strong opacity-55' },
  { seconds: 38, lines: [wave(236, 20, 600)], tone: 'text-accent opacity-90' },
  { seconds: 48, lines: [wave(282, 24, 1200), wave(334, 28, 600)], tone: 'text-line-strong opacity-50' },
];

/** The quiet picture behind the hero: signal lines that are also water, and the sun low above them. */
export function SignalField({ isMoving }: { isMoving: boolean }) {
  return (
    <div
      aria-hidden="true"
      data-moving={isMoving || undefined}
      className="signal-field pointer-events-none absolute inset-x-0 bottom-0 -z-10 h-[62%] overflow-hidden"
    >
      <div className="absolute top-[2%] right-[max(6%,calc(50%-560px))] aspect-square w-[clamp(5rem,15vw,13rem)] rounded-full bg-signal opacity-90" />
      {LAYERS.map(({ seconds, lines, tone }) => (
        <svg
          key={seconds}
          aria-hidden="true"
          viewBox={`0 0 ${PERIOD * 2} ${HEIGHT}`}
          preserveAspectRatio="none"
          fill="none"
          stroke="currentColor"
          className={`signal-layer absolute inset-y-0 left-0 h-full w-[max(200%,2400px)] ${tone}`}
          style={{ animationDuration: `${seconds}s` }}
        >
          {lines.map((line) => (
            <path key={line} d={line} strokeWidth="1.5" vectorEffect="non-scaling-stroke" />
          ))}
        </svg>
      ))}
    </div>
  );
}

/** A line at height y that swings by `swing` and repeats after `length`, long enough to slide by one period. */
function wave(y: number, swing: number, length: number): string {
  const half = length / 2;
  return `M0 ${y}q${half / 2} ${-swing * 2} ${half} 0${`t${half} 0`.repeat((PERIOD * 2) / half - 1)}`;
}
