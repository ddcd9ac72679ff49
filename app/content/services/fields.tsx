import { MarkdownField } from '../../editing/rich-text/markdown-field.tsx';
import { FieldRow } from '../../ui/form/field-row.tsx';
import { FormColumns } from '../../ui/form/form-columns.tsx';
import { IconField } from '../../ui/form/icon-field.tsx';
import { SlugField } from '../../ui/form/slug-field.tsx';
import { StatusField } from '../../ui/form/status-field.tsx';
import { DisplayOrderField, TextareaField, TextField } from '../../ui/form/text-field.tsx';
import { TextListField } from '../../ui/form/text-list-field.tsx';
import type { ServiceForm } from './schema.ts';

export default function ServiceFields() {
  return (
    <FormColumns
      rail={
        <>
          <StatusField<ServiceForm> name="status" />
          <DisplayOrderField<ServiceForm> name="display_order" />
          <SlugField<ServiceForm> name="slug" from="title" />
          <IconField<ServiceForm> name="icon_name" />
        </>
      }
    >
      <TextField<ServiceForm> name="title" required />
      <TextareaField<ServiceForm> name="short_description" />
      <MarkdownField<ServiceForm> name="long_description" />
      <FieldRow>
        <TextField<ServiceForm> name="timeline" placeholder="4-6 weeks" />
        <TextField<ServiceForm> name="pricing" />
      </FieldRow>
      <TextListField<ServiceForm> name="deliverables" placeholder="Add a deliverable" />
    </FormColumns>
  );
}
