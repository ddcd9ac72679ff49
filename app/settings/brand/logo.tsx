import { clsx } from 'clsx';
import { useContext } from 'react';
import { Picture } from '../../ui/picture.tsx';
import { MARK } from './brand.ts';
import { type BrandLogo, BrandLogoContext } from './brand-logo.ts';

/**
 * The owner's logo as a small icon, or the built-in mark: a wave whose crest is a mountain and whose trough is a fjord,
 * with a low sun. Decorative, because the name is shown beside it.
 */
export function LogoMark({ className }: { className?: string }) {
  const logo = useContext(BrandLogoContext);
  if (logo) return <LogoPictures logo={logo} alt="" className={clsx('shrink-0', className ?? 'size-8')} />;
  return (
    <svg viewBox="0 0 32 32" fill="none" aria-hidden="true" className={clsx('shrink-0', className ?? 'size-8')}>
      <path d={MARK.wave} stroke="var(--accent)" strokeWidth="3.4" strokeLinecap="round" />
      <circle {...MARK.sun} fill="var(--signal)" />
    </svg>
  );
}

interface LogoProps {
  /** Site name from site_name. */
  name: string;
  /** Sets the font size of the name. The mark scales with it. */
  className?: string;
}

/** Renders the mark and the name, or the owner's logo. Scales with the font size. */
export function Logo({ name, className }: LogoProps) {
  const logo = useContext(BrandLogoContext);
  const showsName = logo?.showsName ?? true;
  return (
    <span className={clsx('inline-flex min-w-0 max-w-full items-center gap-[0.42em] text-ink', className ?? 'text-xl')}>
      {logo ? (
        <LogoPictures
          logo={logo}
          alt={showsName ? '' : name}
          className="h-[1.6em] w-auto min-w-0 max-w-[min(9em,45vw)]"
        />
      ) : (
        <LogoMark className="size-[1.5em] shrink-0" />
      )}
      {showsName && <span className="truncate font-semibold tracking-[-0.03em]">{name}</span>}
    </span>
  );
}

interface LogoPicturesProps {
  logo: BrandLogo;
  alt: string;
  className: string;
}

/** Logos for light and dark backgrounds. CSS hides the logo of the other theme, so the browser does not load it. */
function LogoPictures({ logo: { light, dark }, alt, className }: LogoPicturesProps) {
  return [light, dark].map(
    (picture, index) =>
      picture && (
        <Picture
          key={index ? 'dark' : 'light'}
          src={picture.address}
          alt={alt}
          width={picture.width}
          height={picture.height}
          sizes="160px"
          isFirst={!dark}
          fallback={alt}
          className={clsx('object-contain object-left', className, dark && (index ? 'not-dark:hidden' : 'dark:hidden'))}
        />
      ),
  );
}
