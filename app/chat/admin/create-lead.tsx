import { zodResolver } from '@hookform/resolvers/zod';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Inbox, UserPlus } from 'lucide-react';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { conversationLeadQuery, createLeadMutation, newLeadSchema } from '../../leads/leads.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { showFirstError } from '../../ui/first-error.ts';
import { requiredMark } from '../../ui/form/required-mark.ts';
import { SaveError } from '../../ui/form/save-error.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Input } from '../../ui/input.tsx';
import { findFirstEmail } from '../../ui/lib/first-email.ts';
import { HEADER_BUTTON_CLASS, HEADER_LABEL_CLASS } from '../../ui/screen-header.tsx';
import { Textarea } from '../../ui/textarea.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import type { TranscriptMessage } from '../conversations.ts';

interface CreateLeadProps {
  conversationId: string;
  messages: readonly TranscriptMessage[];
}

/** Creates a lead from the conversation, or links to the existing one. */
export function CreateLead({ conversationId, messages }: CreateLeadProps) {
  const { data: lead } = useQuery(conversationLeadQuery(conversationId));
  const [isOpen, setOpen] = useState(false);
  if (lead) {
    return (
      <ButtonLink to="/admin/leads/$id" params={{ id: lead }} variant="secondary" className={HEADER_BUTTON_CLASS}>
        <Inbox aria-hidden="true" />
        <span className={HEADER_LABEL_CLASS}>Open lead</span>
      </ButtonLink>
    );
  }
  return (
    <>
      <Button
        variant="secondary"
        className={HEADER_BUTTON_CLASS}
        disabled={lead === undefined}
        onClick={() => setOpen(true)}
        icon={UserPlus}
      >
        <span className={HEADER_LABEL_CLASS}>Create lead</span>
      </Button>
      {isOpen && (
        <CreateLeadDialog conversationId={conversationId} messages={messages} onClose={() => setOpen(false)} />
      )}
    </>
  );
}

/** Dialog for the details of the lead, prefilled from the visitor's messages. */
function CreateLeadDialog({ conversationId, messages, onClose }: CreateLeadProps & { onClose: () => void }) {
  const navigate = useNavigate();
  const visitorMessages = messages.filter(({ role }) => role === 'user').map(({ content }) => content);
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(newLeadSchema),
    defaultValues: {
      name: '',
      email: visitorMessages.map(findFirstEmail).find((email) => email !== '') ?? '',
      phone: '',
      message: visitorMessages.at(-1)?.slice(0, 4000) ?? '',
    },
  });
  const { errors } = formState;
  const create = useMutationWithToasts(createLeadMutation, {
    success: 'Lead created successfully',
    failure: 'Could not create the lead',
  });
  return (
    <FormDialog
      title="Create lead"
      description="Contact only people who expect it. Someone who shared their email in a chat has not agreed to marketing."
      submitLabel="Create lead"
      isPending={create.isPending}
      onClose={onClose}
      onSubmit={handleSubmit(
        (lead) =>
          create.mutate(
            { ...lead, conversation_id: conversationId },
            { onSuccess: (id) => navigate({ to: '/admin/leads/$id', params: { id } }) },
          ),
        showFirstError,
      )}
    >
      <SaveError error={create.error} />
      <Field label="Email" {...requiredMark(true)} error={errors.email?.message}>
        <Input type="email" autoComplete="off" data-initial-focus {...register('email')} />
      </Field>
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label="Name" error={errors.name?.message}>
          <Input autoComplete="off" {...register('name')} />
        </Field>
        <Field label="Phone" error={errors.phone?.message}>
          <Input type="tel" autoComplete="off" {...register('phone')} />
        </Field>
      </div>
      <Field label="Their request" error={errors.message?.message}>
        <Textarea rows={3} {...register('message')} />
      </Field>
    </FormDialog>
  );
}
