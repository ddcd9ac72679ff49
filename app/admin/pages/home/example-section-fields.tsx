/** Fields of the example sections: email sequence, deliverability and handover. */
import { useFormContext } from 'react-hook-form';
import type { Deliverability } from '../../../content/pages/deliverability.ts';
import type { Handover } from '../../../content/pages/handover.ts';
import type { Sequence } from '../../../content/pages/sequence.ts';
import { FieldRow } from '../../../ui/form/field-row.tsx';
import { TextareaField, TextField } from '../../../ui/form/text-field.tsx';
import { Switch } from '../../../ui/switch.tsx';
import { ItemList, useOpenRow } from '../item-list.tsx';

export function SequenceFields() {
  const openRow = useOpenRow();
  return (
    <>
      <ExampleSectionFields />
      <ItemList<Sequence>
        name="mails"
        legend="Emails"
        singular="Email"
        openRow={openRow}
        summary={({ day, subject }) => ({ title: day, detail: subject })}
        create={() => ({ day: '', subject: '', text: '', reason: '' })}
      >
        {(prefix) => (
          <>
            <FieldRow>
              <TextField<Sequence> name={`${prefix}.day`} label="Day" />
              <TextField<Sequence> name={`${prefix}.subject`} label="Subject" />
            </FieldRow>
            <TextareaField<Sequence> name={`${prefix}.text`} label="Text" />
            <TextareaField<Sequence> name={`${prefix}.reason`} label="Why it is sent" rows={2} />
          </>
        )}
      </ItemList>
    </>
  );
}

export function DeliverabilityFields() {
  const openRow = useOpenRow();
  return (
    <>
      <ExampleSectionFields />
      <ItemList<Deliverability>
        name="weeks"
        legend="Weeks"
        singular="Week"
        openRow={openRow}
        summary={({ name, sent, inbox }) => ({ title: name, detail: `${inbox} of ${sent}` })}
        create={(weeks) => ({ name: `Week ${weeks.length + 1}`, sent: '0', inbox: '0' })}
      >
        {(prefix) => (
          <>
            <TextField<Deliverability> name={`${prefix}.name`} label="Name" />
            <FieldRow>
              <TextField<Deliverability> name={`${prefix}.sent`} label="Sent" inputMode="numeric" />
              <TextField<Deliverability> name={`${prefix}.inbox`} label="Reached the inbox" inputMode="numeric" />
            </FieldRow>
          </>
        )}
      </ItemList>
    </>
  );
}

export function HandoverFields() {
  const openRow = useOpenRow();
  return (
    <>
      <ExampleSectionFields />
      <ItemList<Handover>
        name="items"
        legend="Deliverables"
        singular="Item"
        openRow={openRow}
        summary={({ name, detail }) => ({ title: name, detail })}
        create={() => ({ name: '', detail: '' })}
      >
        {(prefix) => (
          <>
            <TextField<Handover> name={`${prefix}.name`} label="Name" />
            <TextareaField<Handover> name={`${prefix}.detail`} label="Detail" rows={2} />
          </>
        )}
      </ItemList>
    </>
  );
}

/** Renders the fields that all example sections have. */
function ExampleSectionFields() {
  const { register } = useFormContext();
  return (
    <>
      <Switch label="Show this section on the home page" {...register('isShown')} />
      <TextField<Handover>
        name="mark"
        label="Mark"
        help="Marks the section as a sample. Leave it empty once all content is real."
      />
      <TextField<Handover> name="eyebrow" label="Label above the heading" />
      <TextField<Handover> name="heading" />
      <TextareaField<Handover> name="description" rows={2} />
    </>
  );
}
