import { FieldRow } from '../../admin/form/field-row.tsx';
import { RatingField } from '../../admin/form/rating-field.tsx';
import { StatusField } from '../../admin/form/status-field.tsx';
import { DisplayOrderField, TextareaField, TextField } from '../../admin/form/text-field.tsx';
import { PictureField } from '../../admin/pictures/picture-field.tsx';
import type { ReviewForm } from './schema.ts';

export default function ReviewFields() {
  return (
    <>
      <TextField<ReviewForm> name="author_name" required />
      <FieldRow>
        <TextField<ReviewForm> name="author_role" />
        <TextField<ReviewForm> name="company" />
      </FieldRow>
      <RatingField<ReviewForm> name="rating" />
      <TextareaField<ReviewForm> name="quote" help="A draft may lack it." />
      <PictureField<ReviewForm> name="avatar_url" help="Address of a picture. Without one, initials are drawn." />
      <FieldRow>
        <StatusField<ReviewForm> name="status" />
        <DisplayOrderField<ReviewForm> name="display_order" />
      </FieldRow>
    </>
  );
}
