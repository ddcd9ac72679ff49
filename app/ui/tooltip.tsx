import { cloneElement, type ReactElement, useEffect, useId, useRef, useState } from 'react';

const OPEN_DELAY_MS = 700;

interface TooltipProps {
  label: string;
  side?: 'top' | 'right' | 'bottom' | 'left';
  /** The described control. It must be a single element that accepts aria-describedby. */
  children: ReactElement<{ 'aria-describedby'?: string | undefined }>;
}

/**
 * Tooltip that opens after 700 ms on hover, immediately on keyboard focus, and closes on Escape. Shown in the browser's
 * top layer, so it is not clipped.
 */
export function Tooltip({ label, side = 'bottom', children }: TooltipProps) {
  const [open, setOpen] = useState(false);
  const timer = useRef(0);
  const id = useId();

  const close = () => {
    window.clearTimeout(timer.current);
    setOpen(false);
  };
  useEffect(() => () => window.clearTimeout(timer.current), []);
  useEffect(() => {
    if (!open) return;
    const onKeyDown = (event: KeyboardEvent) => event.key === 'Escape' && setOpen(false);
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [open]);

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the wrapper only listens to events of the control inside
    <span
      className="contents"
      onPointerEnter={(event) => {
        if (event.pointerType !== 'touch') timer.current = window.setTimeout(() => setOpen(true), OPEN_DELAY_MS);
      }}
      onPointerLeave={close}
      onPointerDown={close}
      onFocus={(event) => event.target.matches(':focus-visible') && setOpen(true)}
      onBlur={close}
    >
      {cloneElement(children, { 'aria-describedby': open ? id : undefined })}
      {open && (
        <span
          ref={(bubble) => {
            if (bubble) placeBubble(bubble, side);
          }}
          id={id}
          role="tooltip"
          popover="manual"
          className="m-0 overflow-visible border-0 bg-transparent p-2 text-ink"
        >
          <span className="block max-w-64 animate-fade rounded-sm bg-ink px-2.5 py-1.5 text-sm text-canvas shadow-md">
            {label}
          </span>
        </span>
      )}
    </span>
  );
}

/** Positions the bubble beside its element, inside the window. */
function placeBubble(bubble: HTMLElement, side: NonNullable<TooltipProps['side']>) {
  const anchor = bubble.previousElementSibling?.getBoundingClientRect();
  if (!anchor || !bubble.showPopover) return;
  bubble.showPopover();
  const { width, height } = bubble.getBoundingClientRect();
  const middleX = anchor.left + (anchor.width - width) / 2;
  const middleY = anchor.top + (anchor.height - height) / 2;
  const positions: Record<typeof side, [left: number, top: number]> = {
    top: [middleX, anchor.top - height],
    bottom: [middleX, anchor.bottom],
    left: [anchor.left - width, middleY],
    right: [anchor.right, middleY],
  };
  const [left, top] = positions[side];
  bubble.style.inset = 'auto';
  bubble.style.left = `${Math.max(0, Math.min(left, document.documentElement.clientWidth - width))}px`;
  bubble.style.top = `${Math.max(0, Math.min(top, window.innerHeight - height))}px`;
}
