import { Crosshair } from 'lucide-react';
import { type Dispatch, type KeyboardEvent, type PointerEvent, type SetStateAction, useId, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import { type FocalPoint, type MediaFile, setFocalPointMutation } from '../media.ts';

const CENTRE: FocalPoint = { x: 0.5, y: 0.5 };

/** Distance per arrow key press. Ten times larger with Shift. */
const STEP = 0.01;

const ARROWS: Readonly<Record<string, FocalPoint>> = {
  ArrowLeft: { x: -STEP, y: 0 },
  ArrowRight: { x: STEP, y: 0 },
  ArrowUp: { x: 0, y: -STEP },
  ArrowDown: { x: 0, y: STEP },
};

/** Sets the focal point, which stays visible when the picture is cropped. */
export function FocalPointPicker({ file }: { file: MediaFile }) {
  const savedPoint = file.focal_x === null || file.focal_y === null ? null : { x: file.focal_x, y: file.focal_y };
  const [focus, setPoint] = useState(savedPoint ?? CENTRE);
  const helpId = useId();
  const save = useMutationWithToasts(setFocalPointMutation, {
    success: 'Focal point saved',
    failure: 'Could not save the focal point',
  });
  const isChanged = focus.x !== (savedPoint ?? CENTRE).x || focus.y !== (savedPoint ?? CENTRE).y;

  const position = `${formatPercent(focus.x)} ${formatPercent(focus.y)}`;
  return (
    <div className="grid grid-cols-1 gap-3">
      <FocalPointImage src={file.thumbnailUrl} focus={focus} describedBy={helpId} onMove={setPoint} />
      <p id={helpId} className="text-sm text-muted">
        Select the point that must stay visible when the picture is cropped. You can also use the arrow keys.
      </p>
      <span role="status" className="sr-only">
        {isChanged && `${formatPercent(focus.x)} from the left, ${formatPercent(focus.y)} from the top`}
      </span>
      <div className="flex flex-wrap items-end gap-3">
        {['aspect-video w-28', 'aspect-square w-16'].map((shape) => (
          <img
            key={shape}
            src={file.thumbnailUrl}
            alt=""
            style={{ objectPosition: position }}
            className={`${shape} rounded-sm border border-line object-cover`}
          />
        ))}
        <div className="ml-auto flex flex-wrap justify-end gap-2">
          {savedPoint && (
            <Button
              size="sm"
              variant="ghost"
              onClick={() => {
                setPoint(CENTRE);
                save.mutate({ name: file.name, focus: null });
              }}
            >
              Reset to centre
            </Button>
          )}
          <Button
            size="sm"
            variant="secondary"
            disabled={!isChanged}
            loading={save.isPending}
            onClick={() => save.mutate({ name: file.name, focus })}
          >
            Save focal point
          </Button>
        </div>
      </div>
    </div>
  );
}

interface FocalPointImageProps {
  src: string;
  focus: FocalPoint;
  /** Id of the instructions. */
  describedBy: string;
  onMove: Dispatch<SetStateAction<FocalPoint>>;
}

/** Renders a picture whose focal point can be moved with the pointer and the arrow keys. */
function FocalPointImage({ src, focus, describedBy, onMove }: FocalPointImageProps) {
  const moveToPointer = (event: PointerEvent<HTMLElement>) => {
    if (event.type === 'pointermove' && event.buttons !== 1) return;
    const box = event.currentTarget.getBoundingClientRect();
    onMove({ x: clamp((event.clientX - box.left) / box.width), y: clamp((event.clientY - box.top) / box.height) });
  };
  const moveByKey = (event: KeyboardEvent) => {
    const direction = ARROWS[event.key];
    if (!direction) return;
    event.preventDefault();
    const factor = event.shiftKey ? 10 : 1;
    onMove(({ x, y }) => ({ x: clamp(x + direction.x * factor), y: clamp(y + direction.y * factor) }));
  };
  return (
    <div className="grid place-items-center overflow-hidden rounded-md border border-line bg-sunken">
      <button
        type="button"
        aria-label={`Focal point: ${formatPercent(focus.x)} from the left, ${formatPercent(focus.y)} from the top`}
        aria-describedby={describedBy}
        onPointerDown={moveToPointer}
        onPointerMove={moveToPointer}
        onKeyDown={moveByKey}
        className="relative block cursor-crosshair touch-none -outline-offset-2"
      >
        <img src={src} alt="" draggable={false} className="checkered block max-h-80 min-h-12 min-w-12 max-w-full" />
        <span
          aria-hidden="true"
          style={{ left: formatPercent(focus.x), top: formatPercent(focus.y) }}
          className="pointer-events-none absolute grid size-8 -translate-1/2 place-items-center rounded-full border-2 border-on-accent bg-accent/80 text-on-accent shadow-lg"
        >
          <Crosshair className="size-4" />
        </span>
      </button>
    </div>
  );
}

/** Clamps a value to the range from 0 to 1 and rounds it to two decimal places. */
function clamp(value: number): number {
  return Math.round(Math.min(Math.max(value, 0), 1) * 100) / 100;
}

function formatPercent(value: number): string {
  return `${Math.round(value * 100)}%`;
}
