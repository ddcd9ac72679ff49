import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { clsx } from 'clsx';
import { Mail, Phone, Trash2 } from 'lucide-react';
import { type ComponentType, useState } from 'react';
import { UnsavedBar } from '../../editing/unsaved-bar.tsx';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Card, TitledCard } from '../../ui/card.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FORM_WIDTH_CLASS } from '../../ui/form/form-columns.tsx';
import { LeaveGuard } from '../../ui/form/leave-guard.tsx';
import { formatTime } from '../../ui/lib/format-time.ts';
import { BackLink } from '../../ui/list/back-link.tsx';
import { LoadingCards } from '../../ui/list/loading-cards.tsx';
import { LoadError } from '../../ui/load-error.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { ScreenHeader } from '../../ui/screen-header.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import { FollowUpForm } from '../follow-up-form.tsx';
import { followUpSchema } from '../lead-document.ts';
import { LeadStatusBadge, leadName } from '../lead-labels.tsx';
import { deleteLeadMutation, LEAD_SOURCES, type Lead, type LeadStatus, leadQuery } from '../leads.ts';

/** Renders a lead's conversation. */
type LeadTranscript = ComponentType<{ conversationId: string }>;

/** Renders a lead with its contact details, next step, follow-up and conversation. */
export function LeadPage({ id, Transcript }: { id: string; Transcript: LeadTranscript }) {
  const { data: lead, error, isPending, refetch } = useQuery(leadQuery(id));
  return (
    <div className={clsx('@container grid grid-cols-1 gap-6', FORM_WIDTH_CLASS)}>
      <BackLink to="/admin/leads">All leads</BackLink>
      <ScreenHeader
        title={lead ? leadName(lead) : 'Lead'}
        description={
          lead && (
            <>
              {LEAD_SOURCES[lead.source]}, <RelativeTime at={lead.created_at} />
            </>
          )
        }
        badge={lead && <LeadStatusBadge status={lead.status} />}
      />
      {isPending && <LoadingCards text="Loading lead..." height="h-24" />}
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      {lead === null && (
        <EmptyState title="Lead not found" description="It may have been deleted, or its retention period has ended." />
      )}
      {lead && <LeadDetail lead={lead} Transcript={Transcript} />}
    </div>
  );
}

/** Two columns on wide screens, with the follow-up on the right. The last row absorbs the difference in height. */
const COLUMNS =
  'grid grid-cols-1 items-start gap-6 @4xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)] @4xl:grid-rows-[auto_auto_1fr]';

function LeadDetail({ lead, Transcript }: { lead: Lead; Transcript: LeadTranscript }) {
  return (
    <div className={COLUMNS}>
      <NextStep lead={lead} />
      <TitledCard title="Contact details">
        {lead.message !== '' && <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">{lead.message}</p>}
        <ContactDetails lead={lead} />
      </TitledCard>
      <div className="@4xl:col-start-2 @4xl:row-span-3 @4xl:row-start-1">
        <TitledCard title="Follow-up">
          <FollowUpForm
            lead={lead}
            guards={
              <>
                <UnsavedBar formKey={`leads/${lead.id}`} schema={followUpSchema} />
                <LeaveGuard />
              </>
            }
          />
        </TitledCard>
      </div>
      <div className="grid grid-cols-1 gap-6">
        {lead.conversation_id && <Transcript conversationId={lead.conversation_id} />}
        <DeleteLead lead={lead} />
      </div>
    </div>
  );
}

const NEXT_STEPS: Record<LeadStatus, string> = {
  new: 'No one has replied yet. Write or call, then set the status to Contacted.',
  contacted: 'Someone has replied. When you know the outcome, set the status to Won or Lost.',
  won: 'Won. Nothing left to do.',
  lost: 'Lost. Nothing left to do.',
};

function NextStep({ lead: { status, source, email, phone, call_time } }: { lead: Lead }) {
  return (
    <section>
      <Card className="grid grid-cols-1 gap-3 border-transparent! bg-accent-soft! p-5">
        <h2 className="text-lg font-semibold">Next step</h2>
        <p>
          {NEXT_STEPS[status]}
          <span>
            {call_time !== '' &&
              ` They ${source === 'booking' ? 'booked a call' : 'asked for this time'}: ${call_time}`}
          </span>
        </p>
        <div className="flex flex-wrap gap-3">
          {email !== '' && (
            <a href={`mailto:${encodeURIComponent(email)}`} className={buttonClass({ size: 'sm' })}>
              <Mail aria-hidden="true" />
              Write an email
            </a>
          )}
          {phone !== '' && (
            <a
              href={`tel:${phone.replace(/[^+\d]/g, '')}`}
              className={buttonClass({ size: 'sm', variant: 'secondary' })}
            >
              <Phone aria-hidden="true" />
              Call
            </a>
          )}
        </div>
      </Card>
    </section>
  );
}

function ContactDetails({ lead }: { lead: Lead }) {
  const details = [
    ['Email', lead.email],
    ['Phone', lead.phone],
    ['Time', lead.call_time],
    ['Service', lead.service],
    ['Page', lead.page],
    ['Changed', formatTime(lead.updated_at)],
  ].filter(([, value]) => value !== '');
  return (
    <dl className="flex flex-wrap gap-x-10 gap-y-4">
      {details.map(([term, value]) => (
        <div key={term}>
          <dt className="font-mono text-label text-muted">{term}</dt>
          <dd className="mt-0.5 [overflow-wrap:anywhere]">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function DeleteLead({ lead }: { lead: Lead }) {
  const navigate = useNavigate();
  const [isDialogOpen, setDialogOpen] = useState(false);
  const remove = useMutationWithToasts(
    // Navigate first, because refetching the deleted lead would unmount this dialog.
    { ...deleteLeadMutation, onSuccess: () => navigate({ to: '/admin/leads' }) },
    { success: 'Lead deleted successfully', failure: 'Could not delete the lead' },
  );
  return (
    <>
      <Button variant="danger-outline" size="sm" className="justify-self-start" onClick={() => setDialogOpen(true)}>
        <Trash2 aria-hidden="true" />
        Delete lead
      </Button>
      <ConfirmDialog
        open={isDialogOpen}
        onOpenChange={setDialogOpen}
        title="Delete this lead?"
        description={`The data of ${leadName(lead)} will be deleted, including your note. The conversation is kept. This action cannot be undone.`}
        confirmLabel="Delete"
        destructive
        loading={remove.isPending}
        onConfirm={() => remove.mutate(lead.id, { onError: () => setDialogOpen(false) })}
      />
    </>
  );
}
