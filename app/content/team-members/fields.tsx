import { FieldRow } from '../../admin/form/field-row.tsx';
import { StatusField } from '../../admin/form/status-field.tsx';
import { DisplayOrderField, TextareaField, TextField } from '../../admin/form/text-field.tsx';
import { PictureField } from '../../admin/pictures/picture-field.tsx';
import type { TeamMemberForm } from './schema.ts';

export default function TeamMemberFields() {
  return (
    <>
      <FieldRow>
        <TextField<TeamMemberForm> name="name" required />
        <TextField<TeamMemberForm> name="position" />
      </FieldRow>
      <TextareaField<TeamMemberForm> name="bio" />
      <PictureField<TeamMemberForm> name="avatar_url" help="Address of a picture. Without one, initials are drawn." />
      <FieldRow>
        <StatusField<TeamMemberForm> name="status" />
        <DisplayOrderField<TeamMemberForm> name="display_order" />
      </FieldRow>
    </>
  );
}
