import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { FormProvider } from 'react-hook-form';
import type { z } from 'zod';
import { Conflict } from '../editing/conflict.tsx';
import { useDocument } from '../editing/use-document.ts';
import { Button } from '../ui/button.tsx';
import { showFirstError } from '../ui/first-error.ts';
import { SelectField } from '../ui/form/select-field.tsx';
import { TextareaField } from '../ui/form/text-field.tsx';
import { Form } from '../ui/form.tsx';
import { followUpDocument, type followUpSchema } from './lead-document.ts';
import { leadName } from './lead-labels.tsx';
import { LEAD_STATUSES, type Lead, leadOwnersQuery } from './leads.ts';

interface FollowUpFormProps {
  lead: Lead;
  /** Guards for unsaved changes. */
  guards?: ReactNode;
}

type Values = z.input<typeof followUpSchema>;

/** Renders the form for the status, owner and note of a lead. */
export function FollowUpForm({ lead, guards }: FollowUpFormProps) {
  const { data: owners } = useQuery(leadOwnersQuery);
  const [document] = useState(() => followUpDocument(lead));
  const editing = useDocument({ document, initial: document.opened });
  const { handleSubmit, getValues } = editing.form;
  return (
    <FormProvider {...editing.form}>
      <Form
        savesByKeyboard
        aria-label={`Follow up ${leadName(lead)}`}
        className="grid grid-cols-1 gap-5"
        onSubmit={handleSubmit(editing.save, showFirstError)}
      >
        {guards}
        <div className="grid gap-5 sm:grid-cols-2">
          <SelectField<Values> name="status">
            {Object.entries(LEAD_STATUSES).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </SelectField>
          {/* The key remounts the select when the options are loaded, because it reads its value on mount. */}
          <SelectField<Values> key={owners ? 'known' : 'loading'} name="owner_id" label="Owner">
            <option value="">No owner</option>
            {owners?.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
            {!owners && getValues('owner_id') !== '' && <option value={getValues('owner_id')}>...</option>}
          </SelectField>
        </div>
        <TextareaField<Values> name="note" rows={3} />
        <Button type="submit" variant="secondary" loading={editing.isSaving} className="justify-self-end">
          Save
        </Button>
      </Form>
      <Conflict editing={editing} />
    </FormProvider>
  );
}
