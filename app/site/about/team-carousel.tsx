import { Pause, Play } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Avatar } from '../../ui/avatar.tsx';
import { buttonClass } from '../../ui/button.tsx';
import { REDUCED_MOTION, useMediaQuery } from '../../ui/lib/use-media-query.ts';
import { useOnScreen } from '../../ui/lib/use-on-screen.ts';
import { PreviousNextButtons } from '../../ui/previous-next-buttons.tsx';
import { SectionHeading } from '../../ui/section-heading.tsx';
import type { ShownTeamMember } from './team.ts';

const AUTOPLAY_MS = 5000;

interface TeamCarouselProps {
  eyebrow: string;
  heading: string;
  members: ShownTeamMember[];
  isLoading: boolean;
}

/** Carousel that advances every 5 s. It pauses on hover, on keyboard focus and for reduced motion. */
export function TeamCarousel({ eyebrow, heading, members, isLoading }: TeamCarouselProps) {
  const section = useRef<HTMLElement>(null);
  const [current, setCurrent] = useState(0);
  const [isPaused, setPaused] = useState(false);
  const [isInUse, setInUse] = useState(false);
  const prefersReducedMotion = useMediaQuery(REDUCED_MOTION);
  const isOnScreen = useOnScreen(section);
  const count = members.length;
  const isPlaying = !isPaused && !isInUse && !prefersReducedMotion && isOnScreen && count > 1;

  useEffect(() => {
    if (!isPlaying) return;
    const timer = setInterval(() => setCurrent((index) => index + 1), AUTOPLAY_MS);
    return () => clearInterval(timer);
  }, [isPlaying]);

  if (count === 0 && !isLoading) return null;
  const visibleIndex = count > 0 ? ((current % count) + count) % count : 0;

  return (
    <section
      ref={section}
      aria-roledescription="carousel"
      aria-labelledby="team-heading"
      onPointerEnter={() => setInUse(true)}
      onPointerLeave={() => setInUse(false)}
      onFocus={() => setInUse(true)}
      onBlur={() => setInUse(false)}
      className="section-space bg-sunken"
    >
      <div className="page-grid grid gap-[clamp(2rem,4vw,3.5rem)]">
        <div className="flex flex-wrap items-end justify-between gap-6">
          <SectionHeading id="team-heading" eyebrow={eyebrow} heading={heading} />
          {count > 1 && (
            <div className="flex gap-2">
              {!prefersReducedMotion && <PauseButton isPaused={isPaused} onClick={() => setPaused(!isPaused)} />}
              <PreviousNextButtons itemName="person" onStep={(steps) => setCurrent(visibleIndex + steps)} />
            </div>
          )}
        </div>
        {count === 0 ? (
          <p role="status" className="min-h-80 text-muted">
            Loading...
          </p>
        ) : (
          <ul aria-live={isPlaying ? 'off' : 'polite'} className="grid">
            {members.map((member, index) => (
              <TeamSlide
                key={member.name}
                member={member}
                isShown={index === visibleIndex}
                position={`${index + 1} of ${count}`}
              />
            ))}
          </ul>
        )}
      </div>
    </section>
  );
}

function PauseButton({ isPaused, onClick }: { isPaused: boolean; onClick: () => void }) {
  return (
    <button
      type="button"
      aria-label={isPaused ? 'Start the carousel' : 'Pause the carousel'}
      onClick={onClick}
      className={buttonClass({ variant: 'ghost', size: 'icon' })}
    >
      {isPaused ? <Play /> : <Pause />}
    </button>
  );
}

interface TeamSlideProps {
  member: ShownTeamMember;
  isShown: boolean;
  position: string;
}

/** All slides share one grid cell, so the tallest one sets the height and the layout does not shift. */
function TeamSlide({ member, isShown, position }: TeamSlideProps) {
  return (
    <li
      inert={!isShown}
      aria-hidden={!isShown}
      data-shown={isShown || undefined}
      className="invisible grid items-center gap-x-12 gap-y-8 opacity-0 transition-[opacity,visibility] duration-400 ease-out [grid-area:1/1] data-shown:visible data-shown:opacity-100 md:grid-cols-12"
    >
      {member.src && (
        <div className="md:col-span-5 lg:col-span-4">
          <Avatar
            name={member.name}
            src={member.src}
            metadata={member.metadata}
            pixels={440}
            className="aspect-square w-full rounded-lg"
          />
        </div>
      )}
      <div className={member.src ? 'grid gap-8 md:col-span-7 lg:col-span-8' : 'grid gap-8 md:col-span-full'}>
        <blockquote className="max-w-[32ch] text-[clamp(1.5rem,1.1rem+1.7vw,2.5rem)] leading-[1.2] font-medium tracking-[-0.02em] text-balance wrap-anywhere">
          {member.quote}
        </blockquote>
        <div className="flex items-center gap-4 border-t border-line-strong pt-6">
          {/* Initials stay small. Only a picture gets a column of its own. */}
          {!member.src && <Avatar name={member.name} className="size-16 rounded-full" pixels={64} />}
          <p className="min-w-0 grow wrap-anywhere">
            <span className="font-semibold">{member.name}</span>
            <span className="block text-muted">{member.designation}</span>
          </p>
          <p className="shrink-0 font-mono text-label text-muted tabular-nums">{position}</p>
        </div>
      </div>
    </li>
  );
}
