import { FieldRow } from '../../admin/form/field-row.tsx';
import { SlugField } from '../../admin/form/slug-field.tsx';
import { StatusField } from '../../admin/form/status-field.tsx';
import { DisplayOrderField, TextareaField, TextField } from '../../admin/form/text-field.tsx';
import { TextListField } from '../../admin/form/text-list-field.tsx';
import { MarkdownField } from '../../admin/writer/markdown-field.tsx';
import { ICON_NAMES } from '../../ui/content-icon.tsx';
import type { ServiceForm } from './schema.ts';

export default function ServiceFields() {
  return (
    <>
      <TextField<ServiceForm> name="title" required />
      <SlugField<ServiceForm> name="slug" from="title" />
      <TextField<ServiceForm> name="icon_name" list="icon-names" help={`Optional: ${ICON_NAMES.join(', ')}.`} />
      <datalist id="icon-names">
        {ICON_NAMES.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <TextareaField<ServiceForm> name="short_description" />
      <MarkdownField<ServiceForm> name="long_description" />
      <FieldRow>
        <TextField<ServiceForm> name="timeline" placeholder="4-6 weeks" />
        <TextField<ServiceForm> name="pricing" />
      </FieldRow>
      <TextListField<ServiceForm> name="deliverables" placeholder="Add a deliverable" />
      <FieldRow>
        <StatusField<ServiceForm> name="status" />
        <DisplayOrderField<ServiceForm> name="display_order" />
      </FieldRow>
    </>
  );
}
