import { clsx } from 'clsx';
import { ArrowDown, Pause, Play } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { Hero as HeroContent } from '../../content/pages/hero.ts';
import { buttonClass } from '../../ui/button.tsx';
import { REDUCED_MOTION, useMediaQuery } from '../../ui/lib/use-media-query.ts';
import { useOnScreen } from '../../ui/lib/use-on-screen.ts';
import { Eyebrow } from '../../ui/section-heading.tsx';
import { headlineSize } from './headline-size.ts';
import { SignalField } from './signal-field.tsx';

const WORD_MS = 2000;

interface HeroProps {
  hero: HeroContent;
  tagline: string;
  /** Target of the second link. */
  workHref?: string;
}

export function Hero({ hero, tagline, workHref = '#projects' }: HeroProps) {
  const section = useRef<HTMLElement>(null);
  const [isPaused, setPaused] = useState(false);
  const isOnScreen = useOnScreen(section);
  const prefersReducedMotion = useMediaQuery(REDUCED_MOTION);
  const isMoving = isOnScreen && !isPaused && !prefersReducedMotion;

  return (
    <section
      ref={section}
      aria-label="Introduction"
      className="relative isolate [--scene:min(29vw,25.5rem)] flex min-h-[min(calc(100svh-4.5rem),60rem)] flex-col overflow-hidden"
    >
      <SignalField isMoving={isMoving} />
      <div className="page-grid flex flex-1 flex-col justify-center gap-[clamp(1.75rem,4svh,3rem)] pt-[clamp(2rem,6svh,5rem)] pb-[clamp(8rem,24svh,15rem)]">
        <Eyebrow>{tagline}</Eyebrow>
        <h1
          className={clsx(
            'text-display-1 text-balance lg:max-w-[calc(100%-var(--scene)-1rem)]',
            headlineSize([hero.mainHeading, ...hero.rotatingWords]),
          )}
        >
          {hero.mainHeading} <RotatingWords words={hero.rotatingWords} isMoving={isMoving} />
        </h1>
        <div className="grid gap-8">
          <p className="max-w-[46ch] text-lead text-muted">{hero.subheading}</p>
          <p className="flex flex-wrap items-center gap-x-8 gap-y-4">
            <a href="#booking" className={buttonClass({ size: 'lg' })}>
              {hero.ctaText}
            </a>
            <a href={workHref} className={buttonClass({ variant: 'link' }, 'min-h-11')}>
              {hero.workText}
            </a>
          </p>
        </div>
      </div>
      <div className="page-grid flex items-center justify-between pb-7 text-sm text-muted">
        <a
          href="#highlights"
          className="group inline-flex min-h-11 items-center gap-3 font-mono text-label uppercase print:hidden"
        >
          <ArrowDown
            aria-hidden="true"
            className="size-4 transition-transform duration-200 ease-out group-hover:translate-y-1"
          />
          {hero.scrollText}
        </a>
        {!prefersReducedMotion && (
          <button
            type="button"
            aria-label={isPaused ? 'Play the animation' : 'Pause the animation'}
            onClick={() => setPaused(!isPaused)}
            className="grid size-11 place-items-center rounded-md text-muted hover:text-ink"
          >
            {isPaused ? <Play className="size-4" /> : <Pause className="size-4" />}
          </button>
        )}
      </div>
    </section>
  );
}

/** Rotating words, in a box as wide as the longest one to avoid layout shift. */
function RotatingWords({ words, isMoving }: { words: string[]; isMoving: boolean }) {
  const [step, setStep] = useState(0);
  const uniqueWords = [...new Set(words)];
  const count = uniqueWords.length;
  useEffect(() => {
    if (!isMoving || count < 2) return;
    const timer = setInterval(() => setStep((current) => current + 1), WORD_MS);
    return () => clearInterval(timer);
  }, [isMoving, count]);

  if (count === 0) return null;
  return (
    <>
      <span className="sr-only">{uniqueWords.join(', ')}</span>
      <span aria-hidden="true" className="grid text-accent">
        {uniqueWords.map((word, index) => (
          <span
            key={word}
            data-shown={index === step % count || undefined}
            className={
              '[grid-area:1/1] pb-[0.12em] opacity-0 transition-[opacity,transform] duration-250 ease-out ' +
              'translate-y-[0.28em] data-shown:translate-y-0 data-shown:opacity-100 data-shown:delay-150'
            }
          >
            {word}
          </span>
        ))}
      </span>
    </>
  );
}
