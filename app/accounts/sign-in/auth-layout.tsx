import type { ReactNode } from 'react';
import { usePageTitle } from '../../ui/lib/use-page-title.ts';
import { SIGN_IN_COVER } from './sign-in-cover.ts';

interface AuthLayoutProps {
  title: string;
  description: string;
  children: ReactNode;
}

/** Layout of the sign-in screens, with a picture beside the form on wide screens. */
export function AuthLayout({ title, description, children }: AuthLayoutProps) {
  usePageTitle(title);
  return (
    <div className="page-grid grid min-h-[70svh] content-start gap-12 lg:min-h-[80svh] lg:items-center lg:content-normal py-10 lg:grid-cols-2 lg:py-16">
      <div className="mx-auto grid w-full max-w-md gap-8 lg:mx-0 lg:max-w-none lg:*:not-[header]:max-w-md">
        <header className="grid gap-3">
          <h1 className="text-display-2">{title}</h1>
          <p className="text-muted">{description}</p>
        </header>
        {children}
      </div>
      <div aria-hidden="true" className="hidden h-full min-h-[32rem] overflow-hidden rounded-lg lg:block">
        <svg
          aria-hidden="true"
          viewBox="0 0 800 500"
          preserveAspectRatio="xMidYMid slice"
          className="block size-full bg-(--art-sky)"
          // biome-ignore lint/security/noDangerouslySetInnerHtml: the SVG source is a constant
          dangerouslySetInnerHTML={{ __html: SIGN_IN_COVER }}
        />
      </div>
    </div>
  );
}
