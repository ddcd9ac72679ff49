import { PictureField } from '../../media/picture-field.tsx';
import { GeneratedPortrait } from '../../media/placeholder-pictures.tsx';
import { FieldRow } from '../../ui/form/field-row.tsx';
import { FormColumns } from '../../ui/form/form-columns.tsx';
import { StatusField } from '../../ui/form/status-field.tsx';
import { DisplayOrderField, TextareaField, TextField } from '../../ui/form/text-field.tsx';
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
            help="If empty, initials are shown."
            placeholder={<GeneratedPortrait<TeamMemberForm> name="name" />}
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
