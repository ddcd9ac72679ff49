import { FieldRow } from '../form/field-row.tsx';
import { PictureField } from '../form/picture-field.tsx';
import { RatingField } from '../form/rating-field.tsx';
import { DisplayOrderField, StatusField, TextareaField, TextField } from '../form/text-field.tsx';

export default function ReviewFields() {
  return (
    <>
      <TextField name="author_name" required />
      <FieldRow>
        <TextField name="author_role" />
        <TextField name="company" />
      </FieldRow>
      <RatingField />
      <TextareaField name="quote" required />
      <PictureField name="avatar_url" help="Address of a picture. Without one, initials are drawn." />
      <FieldRow>
        <StatusField />
        <DisplayOrderField />
      </FieldRow>
    </>
  );
}
