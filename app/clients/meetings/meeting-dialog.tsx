import { zodResolver } from '@hookform/resolvers/zod';
import type { RefObject } from 'react';
import { type UseFormRegisterReturn, useForm } from 'react-hook-form';
import { Field } from '../../ui/field.tsx';
import { showFirstError } from '../../ui/first-error.ts';
import { fromLocalInput, toLocalInput } from '../../ui/form/local-time.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Input } from '../../ui/input.tsx';
import { Select } from '../../ui/select.tsx';
import { Textarea } from '../../ui/textarea.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import type { Client } from '../clients.ts';
import { type Lead, leadName } from '../leads/lead-schema.ts';
import { factValues, MeetingFacts } from './meeting-facts.tsx';
import { type Meeting, OUTCOMES, savedMeetingSchema, saveMeetingMutation } from './meetings.ts';

interface MeetingDialogProps {
  client: Pick<Client, 'id' | 'name' | 'campaigns'>;
  /** Undefined to add a meeting. */
  meeting?: Meeting;
  /** The lead who agreed to a new meeting, if known. */
  lead?: Lead;
  /** Receives keyboard focus if the dialog was opened from a menu. */
  focusAfter?: RefObject<HTMLElement | null> | undefined;
  onClose: () => void;
}

/** Form for adding or editing a meeting. The input is kept if saving fails. */
export function MeetingDialog({ client, meeting, lead, focusAfter, onClose }: MeetingDialogProps) {
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(savedMeetingSchema),
    defaultValues: initialValues(client, meeting, lead),
  });
  const isCounted = meeting !== undefined && meeting.origin !== 'person';
  const save = useMutationWithToasts(saveMeetingMutation, {
    success: 'Meeting saved successfully',
    failure: 'Could not save the meeting',
  });
  return (
    <FormDialog
      title={meeting ? 'Edit meeting' : 'New meeting'}
      description={`${client.name} can see all fields. Once the meeting has been held or missed, they have 14 days to accept or dispute it.`}
      submitLabel="Save"
      savesByKeyboard
      isPending={save.isPending}
      focusAfter={focusAfter}
      onClose={onClose}
      onSubmit={handleSubmit(
        (values) =>
          save.mutate(
            {
              ...values,
              clientId: client.id,
              id: meeting?.id,
              leadId: lead?.id,
              starts_at: fromLocalInput(values.starts_at),
            },
            { onSuccess: onClose },
          ),
        showFirstError,
      )}
    >
      <Field
        label="Met with"
        required
        aside="Required"
        help="A name and a company."
        error={formState.errors.met_with?.message}
      >
        <Input data-initial-focus {...register('met_with')} />
      </Field>
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label="Time" required aside="Required" error={formState.errors.starts_at?.message}>
          <Input type="datetime-local" {...register('starts_at')} />
        </Field>
        <Field label="Outcome">
          <Select {...register('outcome')}>
            {Object.entries(OUTCOMES).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
        </Field>
      </div>
      <Field
        label="Booked on"
        help={
          isCounted
            ? 'Set by the import or event that counts this meeting.'
            : 'The figures count the meeting on this day. If empty, we use today, or the day of a past meeting.'
        }
      >
        <Input type="date" readOnly={isCounted} {...register('booked_on')} />
      </Field>
      <CampaignField client={client} meeting={meeting} {...register('campaign_id')} />
      <Field
        label="Evidence"
        help="Where this information comes from, such as the invitation, a recording or a reply."
        error={formState.errors.evidence?.message}
      >
        <Textarea {...register('evidence')} />
      </Field>
      <MeetingFacts register={register} errors={formState.errors} />
    </FormDialog>
  );
}

function initialValues({ campaigns }: Pick<Client, 'campaigns'>, meeting: Meeting | undefined, lead: Lead | undefined) {
  const onlyCampaign = campaigns.length === 1 ? campaigns[0]?.id : '';
  return {
    met_with: meeting?.met_with ?? '',
    starts_at: toLocalInput(meeting?.starts_at ?? ''),
    outcome: meeting?.outcome ?? 'booked',
    evidence: meeting?.evidence ?? '',
    campaign_id: meeting ? (meeting.campaign_id ?? '') : (onlyCampaign ?? ''),
    booked_on: meeting?.booked_on ?? '',
    ...factValues(meeting),
    ...(lead && initialValuesFromLead(lead)),
  };
}

function initialValuesFromLead(lead: Lead) {
  const name = leadName(lead);
  const met_with = [name, lead.company === name ? '' : lead.company].filter(Boolean).join(', ');
  return { met_with: met_with.slice(0, 200), campaign_id: lead.campaign_id ?? '', role: lead.title };
}

interface CampaignFieldProps extends UseFormRegisterReturn {
  client: Pick<Client, 'campaigns'>;
  meeting: Meeting | undefined;
}

function CampaignField({ client, meeting, ...select }: CampaignFieldProps) {
  return (
    <Field label="Campaign" help="The campaign that produced the meeting.">
      <Select {...select}>
        <option value="">Not known</option>
        {/* A deleted campaign can still be selected. */}
        {meeting?.campaign_id && !client.campaigns.some(({ id }) => id === meeting.campaign_id) && (
          <option value={meeting.campaign_id}>{meeting.campaign}</option>
        )}
        {client.campaigns.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Select>
    </Field>
  );
}
