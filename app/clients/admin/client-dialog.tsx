import { useState } from 'react';
import type { z } from 'zod';
import { GOAL_METRICS, METRICS } from '../../../supabase/functions/metrics.ts';
import { DocumentDialog } from '../../editing/document-dialog.tsx';
import { useDocument } from '../../editing/use-document.ts';
import { SelectField } from '../../ui/form/select-field.tsx';
import { TextField } from '../../ui/form/text-field.tsx';
import { allZones, visitorZone } from '../../ui/lib/zoned-times.ts';
import { clientDocument, newClient } from '../client-document.ts';
import type { Client, clientSchema } from '../clients.ts';

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;

const HOURS = Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, '0'));

interface ClientDialogProps {
  /** Undefined to add a client. */
  client?: Client;
  onClose: () => void;
  onAdded?: (id: string) => void;
}

type Values = Record<keyof z.input<typeof clientSchema>, string>;

/** Form to add or edit a client, including its calendar, goals and report schedule. */
export function ClientDialog({ client, onClose, onAdded }: ClientDialogProps) {
  const [document] = useState(() => clientDocument(client, onAdded));
  const values = document.opened?.content ?? newClient();
  const editing = useDocument({ document, initial: document.opened, values, leave: onClose });
  return (
    <DocumentDialog
      editing={editing}
      title={client ? 'Edit client' : 'New client'}
      submitLabel="Save"
      savesByKeyboard
      onClose={onClose}
    >
      <TextField<Values> name="name" required data-initial-focus />
      <TextField<Values>
        name="domain"
        help="The domain from which the client sends email, such as example.com."
        autoComplete="off"
      />
      <SelectField<Values> name="time_zone">
        {allZones(client?.time_zone ?? visitorZone()).map((zone) => (
          <option key={zone} value={zone}>
            {zone.replaceAll('_', ' ')}
          </option>
        ))}
      </SelectField>
      <div className="grid gap-5 sm:grid-cols-2">
        <SelectField<Values> name="first_weekday" label="Weeks begin on">
          <option value="1">Monday</option>
          <option value="6">Saturday</option>
          <option value="7">Sunday</option>
        </SelectField>
        <TextField<Values>
          name="currency"
          help={client ? 'Changing the currency does not convert fees or results.' : undefined}
          autoComplete="off"
        />
      </div>
      <fieldset className="grid gap-5">
        <legend className="mb-3 font-semibold">Monthly goals</legend>
        <div className="grid gap-5 sm:grid-cols-3">
          {GOAL_METRICS.toReversed().map((metric) => (
            <TextField<Values>
              key={metric}
              name={`${metric}_goal`}
              label={METRICS[metric].label}
              inputMode="numeric"
              autoComplete="off"
            />
          ))}
        </div>
        <p className="-mt-3 text-sm text-muted">
          The client sees progress toward each goal. Leave a field empty to set no goal.
        </p>
      </fieldset>
      <ReportFields />
      <TextField<Values>
        name="lead_months"
        label="Months to keep leads"
        help="Leads are deleted if their status has not changed for this many months."
        inputMode="numeric"
        autoComplete="off"
      />
    </DocumentDialog>
  );
}

function ReportFields() {
  return (
    <fieldset className="grid gap-5">
      <legend className="mb-3 font-semibold">Weekly report</legend>
      <div className="grid gap-5 sm:grid-cols-2">
        <SelectField<Values> name="report_weekday" label="Create on">
          <option value="">Never</option>
          {WEEKDAYS.map((day, index) => (
            <option key={day} value={index + 1}>
              {day}
            </option>
          ))}
        </SelectField>
        <SelectField<Values> name="report_hour" label="At">
          {HOURS.map((hour) => (
            <option key={hour} value={Number(hour)}>
              {`${hour}:00`}
            </option>
          ))}
        </SelectField>
      </div>
      <p className="-mt-3 text-sm text-muted">
        Creates a draft for the previous week, in the time zone above. Nothing is sent until you approve it.
      </p>
    </fieldset>
  );
}
