import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import type { Testimonial, Testimonials as TestimonialsContent } from '../../content/pages/testimonials.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { PreviousNextButtons } from '../../ui/previous-next-buttons.tsx';
import { SectionHeading } from '../../ui/section-heading.tsx';

/** Number of cards on each side of the active card. Fills a 2560 px screen. testimonials.css defines their positions. */
const CARDS_PER_SIDE = 5;

/** Distance between neighbours, in card widths. */
const STEP = 2 / 3;

/** Distance in px above which a pointer press counts as a drag, not a click. */
const DRAG_THRESHOLD = 8;

/**
 * Overlapping cards with one active card. Every move (buttons, arrow keys, click, drag) rotates the list, so that
 * position p shows item `activeIndex + p`. Only the new active card is announced to screen readers.
 */
export function Testimonials({ content }: { content: TestimonialsContent }) {
  const items = content.testimonials;
  const [offset, setOffset] = useState<number | null>(null);
  const move = (steps: number) => setOffset((current) => (current ?? 0) + steps);
  const { track, hasDragged, dragHandlers } = useDrag(move);
  if (items.length === 0) return null;

  const activeIndex = offset ?? 0;
  const active = items[modulo(activeIndex, items.length)];
  const onKeyDown = (event: KeyboardEvent) => {
    const steps = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!steps || items.length === 1) return;
    event.preventDefault();
    move(steps);
  };
  const cardsPerSide = Math.min(CARDS_PER_SIDE, Math.floor((items.length - 1) / 2));
  const positions = Array.from({ length: cardsPerSide * 2 + 1 }, (_, index) => index - cardsPerSide);

  return (
    <section
      id="testimonials"
      aria-labelledby="testimonials-heading"
      className="section-space overflow-hidden border-y border-line bg-sunken"
    >
      <div className="page-grid flex flex-wrap items-end justify-between gap-6">
        <SectionHeading
          id="testimonials-heading"
          eyebrow={content.eyebrow}
          heading={content.heading}
          description={content.description}
        />
        {items.length > 1 && (
          <div className="flex gap-2 print:hidden">
            <PreviousNextButtons itemName="testimonial" onStep={move} />
          </div>
        )}
      </div>
      <p role="status" className="sr-only">
        {offset !== null && active && `${active.testimonial} ${active.by}`}
      </p>
      {/* biome-ignore lint/a11y/useSemanticElements: a group of cards is not a fieldset */}
      <div
        ref={track}
        role="group"
        aria-roledescription="carousel"
        aria-label="Testimonials; move with the arrow keys"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys work only if it has focus
        tabIndex={0}
        onKeyDown={onKeyDown}
        {...(items.length > 1 && dragHandlers)}
        className="testimonial-stage relative mt-[clamp(1.5rem,3vw,2.5rem)] touch-pan-y select-none"
      >
        <ul className="testimonial-track absolute inset-0">
          {positions.map((position) => {
            const item = items[modulo(activeIndex + position, items.length)];
            return (
              item && (
                <TestimonialCard
                  key={activeIndex + position}
                  item={item}
                  position={position}
                  onSelect={() => !hasDragged() && move(position)}
                />
              )
            );
          })}
        </ul>
      </div>
    </section>
  );
}

interface TestimonialCardProps {
  item: Testimonial;
  /** 0 is the active card. Negative positions are to its left. */
  position: number;
  onSelect: () => void;
}

function TestimonialCard({ item, position, onSelect }: TestimonialCardProps) {
  const isActive = position === 0;
  const [name = '', ...rest] = item.by.split(',');
  return (
    <li
      data-active={isActive || undefined}
      data-position={position}
      data-side={isActive ? undefined : position < 0 ? 'left' : 'right'}
      className="testimonial-card absolute rounded-lg border p-6 sm:p-8"
    >
      <div className="testimonial-text flex h-full flex-col gap-5">
        <Avatar name={name} src={item.imgSrc} className="size-12 rounded-md" />
        <blockquote className="line-clamp-7 flex-1 text-lg leading-snug font-medium wrap-anywhere sm:text-xl sm:leading-snug">
          “{item.testimonial}”
        </blockquote>
        <p className="text-sm">
          <span className="font-semibold">{name}</span>
          {rest.length > 0 && <span className="block">{rest.join(',').trim()}</span>}
        </p>
      </div>
      {!isActive && (
        <button
          type="button"
          tabIndex={-1}
          aria-label={`Show the testimonial by ${name}`}
          onClick={onSelect}
          className="absolute inset-0 rounded-lg"
        />
      )}
    </li>
  );
}

/** Moves the track with the pointer. On release, calls `onDragged` with the number of cards. */
function useDrag(onDragged: (steps: number) => void) {
  const track = useRef<HTMLDivElement>(null);
  const start = useRef<number | null>(null);
  const dragged = useRef(0);

  const follow = (distance: number) => {
    dragged.current = distance;
    track.current?.style.setProperty('--drag', `${distance}px`);
  };
  const release = () => {
    if (start.current === null) return;
    start.current = null;
    delete track.current?.dataset['dragging'];
    const card = track.current?.querySelector('li')?.offsetWidth ?? 365;
    const steps = -Math.round(dragged.current / (card * STEP));
    const distance = dragged.current;
    follow(0);
    // Restore the distance, because the browser fires `click` after the drag ends.
    dragged.current = distance;
    if (steps !== 0) onDragged(steps);
  };
  return {
    track,
    hasDragged: () => Math.abs(dragged.current) > DRAG_THRESHOLD,
    dragHandlers: {
      onPointerDown: (event: PointerEvent) => {
        if (event.button !== 0) return;
        start.current = event.clientX;
        dragged.current = 0;
      },
      onPointerMove: (event: PointerEvent<HTMLElement>) => {
        if (start.current === null) return;
        const distance = event.clientX - start.current;
        if (Math.abs(distance) > DRAG_THRESHOLD && !event.currentTarget.hasPointerCapture(event.pointerId)) {
          event.currentTarget.setPointerCapture(event.pointerId);
          event.currentTarget.dataset['dragging'] = '';
        }
        follow(distance);
      },
      onPointerUp: release,
      onPointerCancel: release,
    },
  };
}

function modulo(value: number, divisor: number): number {
  return ((value % divisor) + divisor) % divisor;
}
