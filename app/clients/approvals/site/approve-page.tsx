import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useRef } from 'react';
import { rejectionMessage } from '../../../api/error-code.ts';
import { openAndStoreGrant } from '../../../api/gate/grant.ts';
import { Button, buttonClass } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { lazy } from '../../../ui/lazy.tsx';
import { Eyebrow } from '../../../ui/section-heading.tsx';
import { Step } from '../../../ui/steps.tsx';
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
    <section className={LINKED_PAGE_CLASS}>
      <div>
        <Eyebrow>Approval requested</Eyebrow>
        <h1 ref={heading} tabIndex={-1} className="mt-4 text-display-3 [overflow-wrap:anywhere]">
          {version ? formatHeading(version, siteName) : `${siteName} asks for your approval`}
        </h1>
      </div>
      {!data && !error && (
        <Card className="grid grid-cols-1 gap-6 p-5 sm:p-8">
          <ol>
            <Step number={1} isCurrent>
              <p className="font-medium">Show the content</p>
              <p className="text-muted">The link then only works in this browser.</p>
            </Step>
            <Step number={2}>
              <p className="font-medium">Read it</p>
              <p className="text-muted">Changes since the previous version are marked.</p>
            </Step>
            <Step number={3}>
              <p className="font-medium">Approve, request changes or decline</p>
              <p className="text-muted">Opening this page does not approve anything.</p>
            </Step>
          </ol>
          <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
            <Button size="lg" loading={isPending} onClick={show}>
              Show content
            </Button>
            <Link to="/client-dashboard" className={buttonClass({ variant: 'link' }, 'max-sm:min-h-11')}>
              Go to your dashboard
            </Link>
          </div>
        </Card>
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
