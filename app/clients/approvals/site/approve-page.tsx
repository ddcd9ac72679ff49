import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { rejectionMessage } from '../../../api/error-code.ts';
import { openAndStoreGrant } from '../../../api/gate/grant.ts';
import { Button } from '../../../ui/button.tsx';
import { lazy } from '../../../ui/lazy.tsx';
import { Eyebrow } from '../../../ui/section-heading.tsx';
import { DashboardLink, LINKED_PAGE_CLASS, Notice } from '../../link-notice.tsx';
import { openLinkMutation } from '../approval-link.ts';
import type { LinkedVersion } from '../linked-version.ts';

const Version = lazy(() => import('./version.tsx'));

/**
 * Approval opened through an email link. Mail scanners follow links, so loading the page changes nothing. The first
 * click binds the link to this browser and shows the version. The second click decides.
 */
export function ApprovePage({ token, siteName }: { token: string; siteName: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const { mutate, data, error, isPending } = useMutation(openLinkMutation);
  const version = data && !('refusal' in data) ? data : undefined;
  const refusal = data && 'refusal' in data ? data.refusal : rejectionMessage(error);
  const show = () => {
    void Version.preload();
    mutate(token, {
      onSuccess: (response) => {
        // The response removes the button, so move focus to the title.
        heading.current?.focus();
        if (!('refusal' in response)) openAndStoreGrant();
      },
    });
  };
  return (
    <section data-first-screen className={LINKED_PAGE_CLASS}>
      <div>
        <Eyebrow>Approval requested</Eyebrow>
        <h1 ref={heading} tabIndex={-1} className="mt-4 text-display-3 [overflow-wrap:anywhere]">
          {version ? formatHeading(version, siteName) : `${siteName} asks for your approval`}
        </h1>
      </div>
      {!data && !error && (
        <>
          <p className="measure">
            Opening this page does not approve anything. Once you show the content, the link only works in this browser.
          </p>
          <Button size="lg" loading={isPending} className="justify-self-start" onClick={show}>
            Show content
          </Button>
        </>
      )}
      {(error || refusal !== null) && (
        <Notice>
          <p role="alert">{refusal ?? 'Could not load the content. Please try again.'}</p>
          <div className="flex flex-wrap gap-3">
            <DashboardLink />
            {refusal === null && (
              <Button variant="secondary" loading={isPending} onClick={show}>
                Try again
              </Button>
            )}
          </div>
        </Notice>
      )}
      {version && <Version token={token} version={version} />}
    </section>
  );
}

function formatHeading({ state, title, client }: LinkedVersion, siteName: string): string {
  return state === 'open' ? `${siteName} asks you to approve “${title}” for ${client}` : `“${title}” for ${client}`;
}
