import type { LogoBanner as LogoBannerContent, Logo as LogoContent } from '../../content/pages/logo-banner.ts';
import { GeneratedLogo } from '../../ui/generated-logo.tsx';
import { LogoPicture } from '../../ui/logo-picture.tsx';

/** Minimum number of logos that fill the viewport. Each is at least 12.6% of the viewport's width. */
const MIN_LOGOS_IN_RUN = 8;

/** Endless marquee with a period of 40 s that pauses on hover. */
export function LogoBanner({ logos }: LogoBannerContent) {
  if (logos.length === 0) return null;
  const sorted = logos.toSorted((first, second) => first.order - second.order);
  const repeats = Math.ceil(MIN_LOGOS_IN_RUN / sorted.length);
  return (
    <section aria-label="Companies we work with" className="logo-banner overflow-hidden border-y border-line py-6">
      <div className="logo-run flex w-max">
        <LogoRun logos={sorted} />
        {Array.from({ length: repeats * 2 - 1 }, (_, copy) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the copies are all the same
          <LogoRun key={copy} logos={sorted} isCopy />
        ))}
      </div>
    </section>
  );
}

function Logo({ logo, index }: { logo: LogoContent; index: number }) {
  const generated = <GeneratedLogo name={logo.name} position={index} />;
  if (!logo.imageUrl) return generated;
  return (
    <LogoPicture
      src={logo.imageUrl}
      alt={logo.name}
      isLight={logo.isLight}
      fallback={generated}
      className="h-12 w-44 px-3 py-2"
    />
  );
}

function LogoRun({ logos, isCopy }: { logos: LogoContent[]; isCopy?: boolean }) {
  return (
    <ul aria-hidden={isCopy} className={isCopy ? 'logo-copy flex shrink-0' : 'flex shrink-0'}>
      {logos.map((logo, index) => (
        <li key={logo.id} className="grid h-12 w-[max(12rem,12.6vw)] shrink-0 place-items-center px-4">
          <Logo logo={logo} index={index} />
        </li>
      ))}
    </ul>
  );
}
