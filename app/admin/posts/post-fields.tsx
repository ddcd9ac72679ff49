import { DateField } from '../form/date-field.tsx';
import { FieldRow } from '../form/field-row.tsx';
import { PictureField } from '../form/picture-field.tsx';
import { SlugField } from '../form/slug-field.tsx';
import { StatusField, TextareaField, TextField } from '../form/text-field.tsx';
import { MarkdownField } from '../writer/markdown-field.tsx';

export default function PostFields() {
  return (
    <>
      <TextField name="title" required />
      <SlugField />
      <TextareaField name="excerpt" rows={2} help="Two or three sentences for lists and search engines." />
      <MarkdownField name="content" />
      <FieldRow>
        <TextField name="category" />
        <StatusField />
      </FieldRow>
      <PictureField name="featured_image" help="Address of a picture. Without one, a cover is drawn from the slug." />
      <DateField name="published_date" help="Left empty, it is the moment of saving." />
    </>
  );
}
