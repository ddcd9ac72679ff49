import { Navigation, SiteMenu } from './site/navigation/navigation.tsx';
import { ButtonLink } from './ui/button.tsx';
import { CoverArt } from './ui/cover-art.tsx';
import { usePageTitle } from './ui/lib/use-page-title.ts';
import { Eyebrow } from './ui/section-heading.tsx';

export function NotFoundPage({ siteName }: { siteName: string }) {
  usePageTitle('Page not found');
  return (
    <div className="flex min-h-svh flex-col">
      <Navigation siteName={siteName}>
        <SiteMenu />
      </Navigation>
      <main id="content" tabIndex={-1} className="relative flex grow flex-col outline-none">
        <div className="page-grid flex flex-col items-start gap-6 pt-20 pb-14 lg:pt-28">
          <Eyebrow>404</Eyebrow>
          <h1 className="text-display-1">Oops! Page not found</h1>
          <p className="measure text-lead text-muted">This page was moved or does not exist.</p>
          <ButtonLink to="/" size="lg">
            Return to Home
          </ButtonLink>
        </div>
        <CoverArt subject={{ slug: 'not found' }} motif="soundings" className="mt-auto h-64 w-full lg:h-96" />
      </main>
    </div>
  );
}
