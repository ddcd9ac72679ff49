import { ClientOnly, Link } from '@tanstack/react-router';
import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import type { Footer as FooterContent } from '../../content/pages/footer.ts';
import { Logo } from '../../settings/brand/logo.tsx';
import { Button, buttonClass } from '../../ui/button.tsx';
import { CONTROL_CLASS } from '../../ui/control-class.ts';
import { lazy } from '../../ui/lazy.tsx';
import { PLATFORM_NAMES } from './platform-names.ts';
import { SocialIcon } from './social-icon.tsx';

/** Lazy-loaded, because the newsletter is off by default. */
const NewsletterForm = lazy(() => import('../../leads/newsletter/newsletter-form.tsx'));

interface FooterProps {
  content: FooterContent;
  /** False if the newsletter is off. The form then does nothing. */
  isNewsletterOn: boolean;
  siteName: string;
  tagline: string;
  /** Contact email from the settings. Used if the footer has no email of its own. */
  contactEmail: string;
  /** True for team members and admins, whose footer contains only the legal links. */
  isShort?: boolean;
}

export function Footer({ content, isNewsletterOn, siteName, tagline, contactEmail, isShort }: FooterProps) {
  const { bottom } = content;
  return (
    <footer
      className={clsx(
        'border-t border-line bg-sunken print:hidden',
        !isShort && 'below-fold [--estimated-height:54rem] sm:[--estimated-height:42rem] lg:[--estimated-height:29rem]',
      )}
    >
      {!isShort && <Columns content={content} isNewsletterOn={isNewsletterOn} contactEmail={contactEmail} />}
      {/* The padding of long footers keeps the last links above the chat launcher. */}
      <div className={clsx('page-grid', isShort ? 'py-8' : 'border-t border-line pt-8 pb-24 sm:pb-14')}>
        <div className="flex flex-wrap items-center justify-between gap-x-8 gap-y-3">
          <p className="flex flex-wrap items-center gap-x-4 gap-y-2">
            <Logo name={siteName} className="text-lg" />
            <span className="text-sm text-muted">{tagline}</span>
          </p>
          <ul className="flex flex-wrap gap-x-6 text-sm">
            {bottom.legalLinks.filter(hasUrl).map(({ label, url }) => (
              <li key={`${label} ${url}`}>
                <FooterLink url={url}>{label}</FooterLink>
              </li>
            ))}
          </ul>
        </div>
        <p className="mt-3 font-mono text-label text-muted">{bottom.copyright}</p>
      </div>
    </footer>
  );
}

function Columns({
  content,
  isNewsletterOn,
  contactEmail,
}: Pick<FooterProps, 'content' | 'isNewsletterOn' | 'contactEmail'>) {
  const { newsletter, information, contact, social } = content;
  const email = contact.email || contactEmail;
  return (
    <div className="page-grid grid grid-cols-[1fr_auto] gap-x-8 gap-y-10 pt-14 pb-10 sm:grid-cols-3 sm:gap-y-14 sm:pt-16 sm:pb-12 lg:grid-cols-12 lg:pt-24">
      <Newsletter content={newsletter} isNewsletterOn={isNewsletterOn} />
      <Column title={information.title} className="col-span-2 sm:col-span-1 lg:col-span-2">
        <ul className="max-sm:columns-2 max-sm:gap-x-8">
          {information.links.filter(hasUrl).map(({ label, url }) => (
            <li key={`${label} ${url}`}>
              <FooterLink url={url}>{label}</FooterLink>
            </li>
          ))}
        </ul>
      </Column>
      <Column title={contact.title} className="lg:col-span-3">
        <address className="not-italic">
          {contact.address.map((line) => (
            <span key={line} className="block py-1 text-muted">
              {line}
            </span>
          ))}
          <FooterLink url={`mailto:${email}`}>{email}</FooterLink>
        </address>
      </Column>
      <SocialLinks content={social} />
    </div>
  );
}

function Newsletter({
  content,
  isNewsletterOn,
}: Pick<FooterProps, 'isNewsletterOn'> & { content: FooterContent['newsletter'] }) {
  return (
    <section className="col-span-2 grid content-start gap-4 sm:col-span-3 lg:col-span-5 lg:pr-8">
      <h2 className="text-display-3">{content.heading}</h2>
      <p className="measure text-muted">{content.description}</p>
      {/* Render the field only in the browser, because a field in the HTML makes browsers lay out the page
          immediately. */}
      <ClientOnly fallback={<div className="mt-2 h-11" />}>
        {isNewsletterOn ? (
          <NewsletterForm placeholder={content.placeholder} />
        ) : (
          <form onSubmit={(event) => event.preventDefault()} className="mt-2 flex max-w-md items-end gap-2.5">
            {/* Plain input, because this would be the only reason to load the Field component. */}
            <input
              type="email"
              name="email"
              autoComplete="email"
              aria-label="Email address"
              placeholder={content.placeholder}
              className={clsx(CONTROL_CLASS, 'h-11 grow')}
            />
            <Button type="submit">Subscribe</Button>
          </form>
        )}
      </ClientOnly>
    </section>
  );
}

function SocialLinks({ content }: { content: FooterContent['social'] }) {
  const links = content.links.filter((link) => link.enabled);
  if (links.length === 0) return null;
  return (
    <Column title={content.title} className="lg:col-span-2">
      <ul className="-ml-4 flex flex-wrap">
        {links.map(({ platform, url }) => (
          <li key={platform}>
            <a
              href={url}
              aria-label={PLATFORM_NAMES[platform]}
              rel="noreferrer"
              target="_blank"
              className={buttonClass({ variant: 'ghost', size: 'icon' })}
            >
              <SocialIcon platform={platform} />
            </a>
          </li>
        ))}
      </ul>
    </Column>
  );
}

function Column({ title, className, children }: { title: string; className: string; children: ReactNode }) {
  return (
    <section className={className}>
      <h2 className="mb-3 font-mono text-label text-muted uppercase">{title}</h2>
      {children}
    </section>
  );
}

/** Returns whether a link has a URL. '#' is the placeholder for a missing one. */
function hasUrl({ url }: { url: string }): boolean {
  return !['', '#'].includes(url.trim());
}

/** Renders a router link for pages of this site, otherwise a plain link. */
function FooterLink({ url, children }: { url: string; children: ReactNode }) {
  const className =
    'inline-flex min-h-8 items-center rounded-sm py-1 underline decoration-transparent underline-offset-4 transition-colors duration-150 [overflow-wrap:anywhere] hover:decoration-current';
  const isPath = url.startsWith('/') && !url.startsWith('//');
  return isPath ? (
    <Link to={url} className={className}>
      {children}
    </Link>
  ) : (
    <a href={url} className={className}>
      {children}
    </a>
  );
}
