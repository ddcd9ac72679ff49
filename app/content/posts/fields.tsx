import { DateField } from '../../admin/form/date-field.tsx';
import { FieldRow } from '../../admin/form/field-row.tsx';
import { SlugField } from '../../admin/form/slug-field.tsx';
import { StatusField } from '../../admin/form/status-field.tsx';
import { TextareaField, TextField } from '../../admin/form/text-field.tsx';
import { PictureField } from '../../admin/pictures/picture-field.tsx';
import { MarkdownField } from '../../admin/writer/markdown-field.tsx';
import type { PostForm } from './schema.ts';

export default function PostFields() {
  return (
    <>
      <TextField<PostForm> name="title" required />
      <SlugField<PostForm> name="slug" from="title" />
      <TextareaField<PostForm> name="excerpt" rows={2} help="Two or three sentences for lists and search engines." />
      <MarkdownField<PostForm> name="content" />
      <FieldRow>
        <TextField<PostForm> name="category" />
        <StatusField<PostForm> name="status" />
      </FieldRow>
      <PictureField<PostForm>
        name="featured_image"
        help="Address of a picture. Without one, a cover is drawn from the slug."
      />
      <DateField<PostForm> name="published_date" help="If empty, the time at which you save." />
    </>
  );
}
