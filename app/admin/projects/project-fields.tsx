import { FieldRow } from '../form/field-row.tsx';
import { PictureField } from '../form/picture-field.tsx';
import { SlugField } from '../form/slug-field.tsx';
import { DisplayOrderField, StatusField, TextareaField, TextField } from '../form/text-field.tsx';
import { MarkdownField } from '../writer/markdown-field.tsx';

export default function ProjectFields() {
  return (
    <>
      <TextField name="title" required />
      <SlugField />
      <FieldRow>
        <TextField name="company" />
        <TextField name="metric" label="Key metric" placeholder="+40% replies" />
      </FieldRow>
      <TextareaField name="description" />
      <MarkdownField name="full_content" />
      <PictureField name="featured_image" help="Address of a picture. Without one, a cover is drawn from the slug." />
      <FieldRow>
        <StatusField />
        <DisplayOrderField />
      </FieldRow>
    </>
  );
}
