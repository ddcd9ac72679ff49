import { ICON_NAMES } from '../../site/content-icon.tsx';
import { FieldRow } from '../form/field-row.tsx';
import { SlugField } from '../form/slug-field.tsx';
import { DisplayOrderField, StatusField, TextareaField, TextField } from '../form/text-field.tsx';
import { TextListField } from '../form/text-list-field.tsx';
import { MarkdownField } from '../writer/markdown-field.tsx';

export default function ServiceFields() {
  return (
    <>
      <TextField name="title" required />
      <SlugField />
      <TextField name="icon_name" list="icon-names" help={`Optional: ${ICON_NAMES.join(', ')}.`} />
      <datalist id="icon-names">
        {ICON_NAMES.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <TextareaField name="short_description" />
      <MarkdownField name="long_description" />
      <FieldRow>
        <TextField name="timeline" placeholder="4-6 weeks" />
        <TextField name="pricing" />
      </FieldRow>
      <TextListField name="deliverables" placeholder="Add a deliverable" />
      <FieldRow>
        <StatusField />
        <DisplayOrderField />
      </FieldRow>
    </>
  );
}
