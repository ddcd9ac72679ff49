import { type RefObject, useState } from 'react';
import type { z } from 'zod';
import { DocumentDialog } from '../../editing/document-dialog.tsx';
import { useDocument } from '../../editing/use-document.ts';
import { SelectField } from '../../ui/form/select-field.tsx';
import { TextField } from '../../ui/form/text-field.tsx';
import { type Campaign, CHANNELS, type campaignSchema, PHASES } from '../clients.ts';
import { campaignDocument, NEW_CAMPAIGN } from './campaign-document.ts';
import { CampaignHistory } from './campaign-history.tsx';

interface CampaignDialogProps {
  clientId: string;
  /** Undefined to add a campaign. */
  campaign?: Campaign;
  /** Receives keyboard focus when the dialog closes, if it was opened from a menu. */
  focusAfter?: RefObject<HTMLElement | null>;
  onClose: () => void;
}

type Values = z.input<typeof campaignSchema>;

/** Form for adding or editing a campaign. */
export function CampaignDialog({ clientId, campaign, focusAfter, onClose }: CampaignDialogProps) {
  const [document] = useState(() => campaignDocument(clientId, campaign));
  const editing = useDocument({
    document,
    initial: document.opened,
    values: document.opened?.content ?? NEW_CAMPAIGN,
    leave: onClose,
  });
  return (
    <DocumentDialog
      editing={editing}
      title={campaign ? 'Edit campaign' : 'New campaign'}
      description="The client sees these fields in their portal."
      submitLabel="Save"
      savesByKeyboard
      focusAfter={focusAfter}
      onClose={onClose}
    >
      <TextField<Values> name="name" required data-initial-focus />
      <div className="grid gap-5 sm:grid-cols-2">
        <SelectField<Values> name="channel">
          {Object.entries(CHANNELS).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </SelectField>
        <SelectField<Values> name="phase">
          {Object.entries(PHASES).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </SelectField>
      </div>
      <TextField<Values> name="next_step" />
      <TextField<Values> name="due_on" label="Due" type="date" />
      {campaign && <CampaignHistory campaign={campaign} />}
    </DocumentDialog>
  );
}
