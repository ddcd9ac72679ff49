import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useOnScreen } from '../ui/lib/use-on-screen.ts';
import { Approvals } from './approvals/approval-list.tsx';
import { CampaignList } from './campaigns/campaign-list.tsx';
import { homeQuery, noteReadMutation } from './client-home.ts';
import type { Client } from './clients.ts';
import { DoNotContact } from './do-not-contact/do-not-contact-list.tsx';
import { FigureWeeks } from './figures/figure-weeks.tsx';
import { Quotes } from './figures/quote-list.tsx';
import { Files } from './files/file-list.tsx';
import { ClientHome } from './home/client-home.tsx';
import { Meetings } from './meetings/meeting-list.tsx';
import { ClientReports } from './reports/client-reports.tsx';

export interface ClientSectionsProps {
  client: Client;
  /** True in the impersonated view. Nothing can be changed, and nothing is recorded as read. */
  isImpersonated?: boolean;
  /** Approvers can approve or decline requests, and accept or dispute meetings. */
  isApprover?: boolean;
}

/** Minimum time on screen in milliseconds. Shorter views do not count as reading. */
const READING_MS = 1500;

/**
 * Portal of a client: the start screen, then one section per kind of content. Register a new section here, and in
 * TeamSections for the team.
 */
export function ClientSections({ client, isImpersonated = false, isApprover = false }: ClientSectionsProps) {
  return (
    <>
      <ClientHome client={client} isImpersonated={isImpersonated} isApprover={isApprover} />
      <CampaignsSection client={client} />
      <Meetings client={client} isImpersonated={isImpersonated} canAnswer={isApprover} headingLevel={3} />
      <ApprovalsSection client={client} isImpersonated={isImpersonated} isApprover={isApprover} />
      <Quotes client={client} isImpersonated={isImpersonated} canAnswer={isApprover} headingLevel={3} />
      <Files client={client} isImpersonated={isImpersonated} headingLevel={3} />
      <FigureWeeks client={client} isImpersonated={isImpersonated} />
      <ClientReports client={client} isImpersonated={isImpersonated} headingLevel={3} />
      <DoNotContact client={client} isImpersonated={isImpersonated} headingLevel={3} />
    </>
  );
}

function CampaignsSection({ client }: { client: Client }) {
  return (
    <div className="grid grid-cols-1 gap-3">
      <h3 className="text-lg font-semibold">Campaigns</h3>
      <CampaignList campaigns={client.campaigns} headingLevel={4} />
    </div>
  );
}

/**
 * Records that the portal was opened and which pending texts were read. Texts are shown in full, so scrolling to one counts as
 * reading it.
 */
function ApprovalsSection({ client, isImpersonated = false, isApprover = false }: ClientSectionsProps) {
  const container = useRef<HTMLDivElement>(null);
  const isSeen = useOnScreen(container);
  const { data: home } = useQuery(homeQuery(client.id));
  const { mutate: noteRead } = useMutation(noteReadMutation);
  const pendingIds = home?.waiting.flatMap(({ kind, id }) => (kind === 'approval' ? [id] : [])).join() ?? '';
  useEffect(() => {
    if (!isImpersonated) noteRead({ clientId: client.id });
  }, [noteRead, client.id, isImpersonated]);
  useEffect(() => {
    if (isImpersonated || !isSeen || pendingIds === '') return;
    const timer = setTimeout(() => noteRead({ clientId: client.id, approvals: pendingIds.split(',') }), READING_MS);
    return () => clearTimeout(timer);
  }, [noteRead, client.id, isImpersonated, isSeen, pendingIds]);
  return (
    <div ref={container}>
      <Approvals client={client} isImpersonated={isImpersonated} canDecide={isApprover} headingLevel={3} />
    </div>
  );
}
