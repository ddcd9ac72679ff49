import { FieldRow } from '../form/field-row.tsx';
import { PictureField } from '../form/picture-field.tsx';
import { DisplayOrderField, StatusField, TextareaField, TextField } from '../form/text-field.tsx';

export default function TeamMemberFields() {
  return (
    <>
      <FieldRow>
        <TextField name="name" required />
        <TextField name="position" />
      </FieldRow>
      <TextareaField name="bio" />
      <PictureField name="avatar_url" help="Address of a picture. Without one, initials are drawn." />
      <FieldRow>
        <StatusField />
        <DisplayOrderField />
      </FieldRow>
    </>
  );
}
