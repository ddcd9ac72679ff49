import { Drawing } from '../../ui/drawing.tsx';
import { LazyLivingSystem } from './lazy-living-system.ts';

const HEIGHT = 400;
const PERIOD = 1200;

/** Waves from far to near. Each has its own compositor layer, so animating it needs no repaint. */
const FAR_LAYERS = [
  { layer: 'far', shapes: drawWave(70, 4, 400) + drawWave(92, 6, 300), tone: 'text-line-strong opacity-60' },
  { layer: 'middle', shapes: drawWave(122, 9, 600) + drawWave(154, 11, 400), tone: 'text-line-strong opacity-75' },
];
const NEAR_LAYERS = [
  { layer: 'signal', shapes: drawWave(204, 17, 600), tone: 'text-accent' },
  { layer: 'near', shapes: drawWave(262, 20, 1200) + drawWave(312, 20, 600), tone: 'text-line-strong opacity-75' },
];

/** Decorative hero background: signal lines that double as water, with a setting sun. */
export function SignalField({ isMoving }: { isMoving: boolean }) {
  return (
    <div
      aria-hidden="true"
      data-moving={isMoving || undefined}
      className="signal-field pointer-events-none absolute inset-x-0 bottom-0 -z-10 h-[34%]"
    >
      <div className="signal-sun absolute right-[max(8%,calc(50%-540px))] bottom-[72%] aspect-square w-[clamp(5.5rem,17vw,16rem)] translate-y-[46%] rounded-full" />
      {FAR_LAYERS.map(drawLayer)}
      {/* The sun is in front of the far waves and behind the near ones. */}
      <LazyLivingSystem />
      {NEAR_LAYERS.map(drawLayer)}
    </div>
  );
}

function drawLayer({ layer, shapes, tone }: (typeof FAR_LAYERS)[number]) {
  return (
    <Drawing
      key={layer}
      viewBox={`0 0 ${PERIOD * 2} ${HEIGHT}`}
      preserveAspectRatio="none"
      data-layer={layer}
      fill="var(--canvas)"
      stroke="currentColor"
      className={`signal-layer absolute inset-y-0 left-0 h-full w-[max(200%,2400px)] ${tone}`}
      shapes={shapes}
    />
  );
}

/** Draws a wave with the given baseline, amplitude and wavelength, two periods wide. */
function drawWave(y: number, amplitude: number, wavelength: number): string {
  const half = wavelength / 2;
  const crests = `q${half / 2} ${-amplitude * 2} ${half} 0${`t${half} 0`.repeat((PERIOD * 2) / half - 1)}`;
  return `<path d="M-4 ${y}h4${crests}V${HEIGHT + 9}H-4z" stroke-width="1.5" vector-effect="non-scaling-stroke"/>`;
}
