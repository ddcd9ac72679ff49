import { FieldRow } from '../../form/field-row.tsx';
import { FormColumns } from '../../form/form-columns.tsx';
import { StatusField } from '../../form/status-field.tsx';
import { DisplayOrderField, TextareaField, TextField } from '../../form/text-field.tsx';
import { DrawnPortrait } from '../../pictures/drawn-pictures.tsx';
import { PictureField } from '../../pictures/picture-field.tsx';
import type { TeamMemberForm } from './schema.ts';

export default function TeamMemberFields() {
  return (
    <FormColumns
      rail={
        <>
          <StatusField<TeamMemberForm> name="status" />
          <DisplayOrderField<TeamMemberForm> name="display_order" />
          <PictureField<TeamMemberForm>
            name="avatar_url"
            help="Without one, initials are drawn."
            drawn={<DrawnPortrait<TeamMemberForm> name="name" />}
          />
        </>
      }
    >
      <FieldRow>
        <TextField<TeamMemberForm> name="name" required />
        <TextField<TeamMemberForm> name="position" />
      </FieldRow>
      <TextareaField<TeamMemberForm> name="bio" />
    </FormColumns>
  );
}
